def f(backend, run, a, b):
    if backend:
        try:
            a = run(backend)
        except ValueError as e:
            print(e)
            return None, None
    elif run is None:
        return ()
    a = round(a, 2) if a else None
    b = round(b, 3) if b else None
    return a, b
# run
f("1", int, 1.234, 2); f("x", int, 1, 2); f("", None, 1, 2); f("", int, 0, 0)
