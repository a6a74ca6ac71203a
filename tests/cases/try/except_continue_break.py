def f(items):
    for item in items:
        try:
            print(int(item))
        except ValueError:
            continue
        except TypeError:
            break
        print("end of", item)
    return "done"
# run
f(["1", "x", "2"]); f(["1", None, "2"])
