def f(a):
    if a:
        pass
    else:
        print("no")
    if a > 1:
        print("many")
    else:
        pass
# run
f(0); f(1); f(2)
