def f(d, a):
    del d["k"]
    del a[0], a[1:]
    return d, a
# run
f({"k": 1, "m": 2}, [1, 2, 3]); f({}, [])
