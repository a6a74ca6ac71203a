# since: 3.11
def group(*errors):
    if errors:
        raise ExceptionGroup("group", errors)
def f(flag, *errors):
    try:
        group(*errors)
    except* (ValueError if flag else KeyError):
        print("caught")
# run
f(1, ValueError(1)); f(0, KeyError(1))
f(0, ValueError(1))
