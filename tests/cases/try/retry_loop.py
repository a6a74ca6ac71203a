def f(g, times):
    for attempt in range(times):
        try:
            result = g(attempt)
        except ValueError as error:
            last = error
            print("failed", error)
            if attempt == times - 1:
                raise
        else:
            return result
    return None
# run
f(lambda n: int("x") if n < 2 else n, 3); f(lambda n: int("x"), 2); f(int, 0)
