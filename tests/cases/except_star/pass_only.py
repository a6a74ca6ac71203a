# since: 3.11
def group(*errors):
    if errors:
        raise ExceptionGroup("group", errors)
def f(*errors):
    try:
        group(*errors)
    except* ValueError:
        pass
    except* KeyError as e:
        pass
    return "after"
# run
f(); f(ValueError(1), KeyError(2)); f(OSError(3))
