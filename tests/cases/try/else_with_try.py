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
# expect 3.8 3.9
def f(g):
    try:
        value = g()
    except TypeError:
        pass
    else:
        try:
            return int(value)
        except ValueError:
            return "value"
    finally:
        print("finally")
    return "type"
# expect 3.10 3.11 3.12 3.13 3.14
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
