# since: 3.11
def group(*errors):
    if errors:
        raise ExceptionGroup("group", errors)
def f(inner, outer):
    out = []
    try:
        try:
            group(*inner)
        except* ValueError as e:
            out.append("inner value")
            try:
                group(*outer)
            except* KeyError:
                out.append("inner key")
        except* TypeError:
            out.append("inner type")
        out.append("between")
    except* OSError as e:
        out.append(len(e.exceptions))
    return out
# run
f([], []); f([ValueError(1)], [KeyError(2)]); f([ValueError(1)], [OSError(2)]); f([TypeError(1), OSError(2)], [])
