def f(g, items):
    try:
        return g()
    except KeyError as error:
        for item in items:
            try:
                return item[error.args[0]]
            except (KeyError, IndexError):
                continue
        raise
# run
f(int, []); f(lambda: {}[1], [{}, {1: 2}]); f(lambda: {}[1], [{}])
