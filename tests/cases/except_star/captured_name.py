# since: 3.11
def group(*errors):
    if errors:
        raise ExceptionGroup("group", errors)
def f(*errors):
    out = []
    try:
        group(*errors)
    except* ValueError as e:
        out.append((lambda: len(e.exceptions))())
    return out
# run
f(ValueError(1), ValueError(2)); f()
