def f(a, b):
    for c in a:
        while b is None:
            if c:
                print(c)
            elif a and c is None:
                break
            for d in c or a:
                pass
            else:
                break
        if not b:
            pass
# run
f([], None); f([0, None, [1]], None); f([0], 1)
# expect 3.8 3.9 3.10 3.11 3.12 3.13 3.14
def f(a, b):
    for c in a:
        while True:
            if b is not None:
                break
            if c:
                print(c)
            elif a and c is None:
                break
            for d in c or a:
                pass
            break
        if b:
            pass
