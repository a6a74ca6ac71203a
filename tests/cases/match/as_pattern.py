# since: 3.10
def f(x):
    match x:
        case 1 | 2 as n:
            return n
        case [a, [b, c] as d] as e:
            return a, b, c, d, e
        case {"k": str() as s, **r} as t:
            return s, r, t
# run
f(1); f([1, [2, 3]]); f({"k": "v", "l": 1}); f({"k": 1})
