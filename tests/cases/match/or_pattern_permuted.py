# since: 3.10
class Triple:
    __match_args__ = ("a", "b", "c")
    a, b, c = 1, 2, 3
def f(x):
    match x:
        case [a, b, c] | {"c": c, "b": b, "a": a} | Triple(b, c, a):
            return a, b, c
        case [[a, b], c, *d] | [c, [d, a], b, _]:
            return a, b, c, d
# run
f([1, 2, 3]); f({"a": 1, "b": 2, "c": 3}); f(Triple()); f([[1, 2], 3]); f([1, [2, 3], 4, 5])
