def f(a):
    if a:
        print("yes")
    return a
# run
f(0); f(1)
