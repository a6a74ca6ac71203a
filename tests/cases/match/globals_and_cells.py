# since: 3.10
def f(x):
    global g
    match x:
        case [g, h, *_]:
            return lambda: h
        case {"a": n, **g}:
            def inner():
                nonlocal n
                match g:
                    case {"b": n}:
                        return n
                return n
            return inner
# run
f([1, 2])(); g; f({"a": 1, "b": 2})(); f({"a": 1})(); g
