def f(a, b):
    if a:
        if b:
            print("both")
        else:
            print("a")
    else:
        if b:
            print("b")
        else:
            print("none")
        print("no a")
    return a
# run
f(1, 1); f(1, 0); f(0, 1); f(0, 0)
