def f(a, b):
    try:
        a()
    except ValueError:
        try:
            if b:
                pass
            elif a:
                return
        except KeyError:
            pass
        else:
            with b:
                print(b)
        finally:
            if b:
                pass
    for c in b:
        print(c)
# run
f(int, []); f(int, [1]); f(lambda: int("a"), []); f(lambda: int("a"), [1])
