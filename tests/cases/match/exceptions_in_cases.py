# since: 3.10
def f(x):
    match x:
        case [e] if isinstance(e, type):
            raise e("raised")
        case [a, b]:
            raise ValueError(a) from b
        case 1:
            assert x != 1, "one"
        case _:
            del x
    return x
# run
f([KeyError])
f([1, OSError(2)])
f(1)
f(3)
