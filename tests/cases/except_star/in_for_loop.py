# since: 3.11
def group(*errors):
    if errors:
        raise ExceptionGroup("group", errors)
def f(xs):
    out = []
    for x in xs:
        try:
            group(*x)
            if not x:
                continue
        except* ValueError as e:
            out.append("value")
        except* KeyError:
            for y in x:
                if isinstance(y, KeyError):
                    continue
                out.append("other")
                break
        out.append("next")
    else:
        out.append("else")
    return out
# run
f([]); f([[], [ValueError(1)], [KeyError(2), ValueError(3)]])
