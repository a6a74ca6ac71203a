def f(g):
    try:
        x = g()
    except ValueError as error:
        x = str(error)
    else:
        print("fine")
    finally:
        print("finally")
    return x
# run
f(int); f(lambda: int("x")); f(1)
