# since: 3.11
def group(*errors):
    if errors:
        raise ExceptionGroup("group", errors)
def f(xs):
    for x in xs:
        try:
            if x == 1:
                return "one"
            group(*x)
        except* ValueError:
            print("value")
    return "end"
# run
f([1]); f([[ValueError(2)], []])
