def f(known, name):
    try:
        return known[name] + 1
    finally:
        try:
            del known[name]
        except KeyError:
            print("unknown")
# run
f({"a": 1}, "a"); f({}, "a"); f({"a": "b"}, "a")
