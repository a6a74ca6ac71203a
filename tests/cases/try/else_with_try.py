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
# expect 3.14
def f(g):
    while True:
        try:
            try:
                value = g()
            except TypeError:
                break
            try:
                return int(value)
            except ValueError:
                pass
        finally:
            print("finally")
        return "value"
    return "type"
