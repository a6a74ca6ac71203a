# since: 3.10
def f(xs):
    out = []
    for x in xs:
        match x:
            case 0:
                break
            case [1, *_]:
                continue
            case str() as s if s:
                out.append(s)
            case [a, b]:
                return a, b, out
        out.append("after")
    else:
        out.append("else")
    return out
# run
f([0, 1]); f([[1], "a", "", 2]); f([[1, 2], [3, 4]]); f([])
