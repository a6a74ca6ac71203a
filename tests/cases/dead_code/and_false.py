def f(a):
    if a and False:
        print("never")
    if a or True:
        print("always")
    return a
# run
f(0); f(1)
