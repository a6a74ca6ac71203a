# since: 3.11
def group(*errors):
    if errors:
        raise ExceptionGroup("group", errors)
def f(*errors):
    out = []
    try:
        group(*errors)
    except* ValueError as e:
        out += [str(x) for x in e.exceptions if x.args]
        while len(out) < 3:
            out.append("more")
    except* KeyError as e:
        match e.exceptions:
            case [KeyError(args=[a])]:
                out.append(a)
            case _:
                out.append("many")
    return out
# run
f(ValueError(1)); f(KeyError(2)); f(KeyError(3), KeyError(4), ValueError())
