def f(items):
    try:
        return [1 / x for x in items]
    except ZeroDivisionError:
        return [x for x in items]
# run
f([1, 2]); f([0])
