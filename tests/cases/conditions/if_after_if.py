def f(a, b):
    if a:
        print("a")
    if b:
        print("b")
    if a and b:
        print("both")
    else:
        print("not both")
    if not a and not b:
        return None
    return a or b
# run
f(0, 0); f(1, 0); f(1, 1)
