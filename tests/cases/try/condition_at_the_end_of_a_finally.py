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
