def f(xs):
    try:
        return xs[0]
    finally:
        print([x for x in xs])
# run
f([1]); f([])
