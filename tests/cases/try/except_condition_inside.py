def f(g, a):
    try:
        if a:
            g()
        else:
            print("no call")
    except ValueError as error:
        if a > 1:
            print(error)
        else:
            return "one"
    return "end"
# run
f(int, 0); f(lambda: int("x"), 1); f(lambda: int("x"), 2)
