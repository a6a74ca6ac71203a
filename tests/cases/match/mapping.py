# since: 3.10
def f(x):
    match x:
        case {"a": 1, "b": [c]}:
            return c
        case {1: a, None: b}:
            return a, b
        case {}:
            return "mapping"
# run
f({"a": 1, "b": [2]}); f({1: 2, None: 3}); f({True: 1}); f({}); f([])
