def f(items):
    for item in items:
        try:
            print(int(item))
        except ValueError:
            continue
        except TypeError:
            break
        else:
            print("else")
        finally:
            print("finally")
    return "end"
# run
f(["1", "x", None, "3"])
