# since: 3.11
def group(*errors):
    if errors:
        raise ExceptionGroup("group", errors)
def f(*errors):
    try:
        yield "body"
        group(*errors)
    except* ValueError as e:
        yield len(e.exceptions)
        yield from range(2)
    yield "end"
# run
list(f()); list(f(ValueError(1)))
