# since: 3.11
def group(*errors):
    if errors:
        raise ExceptionGroup("group", errors)
def f(*errors):
    try:
        group(*errors)
    except* ValueError:
        raise
    except* KeyError as e:
        raise OSError("new") from e
    except* TypeError as e:
        if len(e.exceptions) > 1:
            raise RuntimeError("many")
# run
f(); f(TypeError(1))
f(ValueError(1))
f(KeyError(1), ValueError(2))
f(TypeError(1), TypeError(2))
