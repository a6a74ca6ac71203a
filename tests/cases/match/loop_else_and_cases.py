# since: 3.10
def f(xs):
    for x in xs:
        match x:
            case [n]:
                for i in range(n):
                    match i:
                        case [_]:
                            break
                        case 3:
                            break
                else:
                    return "else", n
            case {"stop": True}:
                break
    return "end"
# run
f([[5], [2]]); f([[5]]); f([{"stop": True}, [1]])
