import contextlib
def f(items):
    results = []
    for item in items:
        with contextlib.suppress(KeyError):
            try:
                results.append(1 / item)
            except ZeroDivisionError:
                results.append("zero")
                continue
            except TypeError:
                break
            results.append("ok")
    return results
# run
f([1, 0, 2]); f([1, "a", 2])
