def f(g, quiet):
    try:
        g()
    except Exception as error:
        if not quiet or isinstance(error, TypeError):
            raise
        print("quiet", error)
    return "after"
# run
f(lambda: 1 / 0, True); f(lambda: 1 / 0, False); f(1, True)
