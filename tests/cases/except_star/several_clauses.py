# since: 3.11
def group(*errors):
    if errors:
        raise ExceptionGroup("group", errors)
def f(*errors):
    out = []
    try:
        group(*errors)
    except* ValueError as e:
        out.append(("value", len(e.exceptions)))
    except* (TypeError, KeyError):
        out.append("type or key")
    except* OSError as e:
        out.append(("os", len(e.exceptions)))
    out.append("after")
    return out
# run
f(); f(ValueError(1), ValueError(2)); f(KeyError(1), OSError(2), ValueError(3)); f(IndexError(1))
