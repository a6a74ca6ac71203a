def f(g):
    try:
        value = g()
    except TypeError:
        return "type"
    else:
        try:
            return int(value)
        except ValueError:
            return "value"
    finally:
        print("finally")
# run
f(lambda: "1"); f(lambda: "x"); f(1)
