# since: 3.10
class Key:
    A = "a"
def f(x):
    match x:
        case {Key.A: a, "b": b, **rest}:
            return a, b, rest
        case {Key.A: a}:
            return a
# run
f({"a": 1, "b": 2, "c": 3}); f({"a": 1}); f({})
