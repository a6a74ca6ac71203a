def f():
    try:
        yield 1
    except ValueError:
        yield "value"
    finally:
        print("finally")
    yield 2
# run
list(f()); g = f(); next(g); g.throw(ValueError); next(g)
