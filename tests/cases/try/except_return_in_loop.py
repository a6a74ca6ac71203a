def f(items):
    for item in items:
        try:
            return int(item)
        except ValueError:
            print("no", item)
    return None
# run
f(["x", "1"]); f(["x"])
