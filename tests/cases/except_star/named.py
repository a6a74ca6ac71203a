# since: 3.11
def group(*errors):
    if errors:
        raise ExceptionGroup("group", errors)
def f(*errors):
    out = []
    try:
        group(*errors)
    except* ValueError as e:
        out.append(e.exceptions)
    return out
# run
f(); f(ValueError(1)); f(ValueError(1), KeyError(2))
