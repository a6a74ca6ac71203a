# since: 3.10
def f(x):
    match x:
        case {"a": a, "b": b, **rest}:
            return a, b, rest
        case {"c": {"d": d, **inner}, **outer}:
            return d, inner, outer
        case {**everything}:
            return everything
# run
f({"a": 1, "b": 2, "c": 3}); f({"c": {"d": 1, "e": 2}, "f": 3}); f({"x": 1}); f(1)
