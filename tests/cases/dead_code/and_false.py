def f(a):
    if a and False:
        print("never")
    if a or True:
        print("always")
    return a
# run
f(0); f(1)
# expect 3.8 3.9
def f(a):
    if a and False:
        print("never")
    if a:
        pass
    print("always")
    return a
# expect 3.10 3.11 3.12 3.13 3.14
def f(a):
    if a:
        pass
    if a:
        pass
    print("always")
    return a
