def f(a, b):
    try:
        print(a)
    finally:
        try:
            if a and b:
                pass
        except ValueError:
            return
# run
f(0, 0); f(1, 0); f(1, 1)
# expect 3.8 3.9 3.10 3.11 3.12 3.13 3.14
def f(a, b):
    try:
        print(a)
    finally:
        try:
            if a:
                if b:
                    pass
        except ValueError:
            return
