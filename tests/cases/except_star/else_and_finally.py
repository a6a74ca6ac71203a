# since: 3.11
def group(*errors):
    if errors:
        raise ExceptionGroup("group", errors)
def f(*errors):
    out = []
    try:
        group(*errors)
        out.append("body")
    except* ValueError:
        out.append("value")
    else:
        out.append("else")
    finally:
        out.append("finally")
        print(out)
    return out
# run
f(); f(ValueError(1)); f(KeyError(1))
