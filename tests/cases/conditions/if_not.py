def f(a):
    if not a:
        print("no")
    else:
        print("yes")
# run
f(0); f(1)
