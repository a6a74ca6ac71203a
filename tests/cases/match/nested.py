# since: 3.10
def f(x):
    match x:
        case [a, b]:
            match a:
                case {"k": k}:
                    match b:
                        case [c]:
                            return k, c
                        case None:
                            return k
                case [_]:
                    a = "list"
            return a, b
        case {"m": m}:
            match m:
                case {"n": n}:
                    return n
    return "none"
# run
f([{"k": 1}, [2]]); f([{"k": 1}, None]); f([{"k": 1}, 3]); f([[1], 2]); f({"m": {"n": 4}}); f({"m": 5}); f(6)
