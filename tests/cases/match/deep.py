# since: 3.10
def f(x):
    match x:
        case {"user": {"name": str(name), "roles": ["admin", *others]}, "id": int(n) | [int(n)]}:
            return name, others, n
        case [[[a], [b]], {"c": [c, *_, (1 | 2) as d]}]:
            return a, b, c, d
# run
f({"user": {"name": "n", "roles": ["admin", "x"]}, "id": [3]}); f([[[1], [2]], {"c": [3, 4, 1]}]); f([[[1], [2]], {"c": [3]}])
