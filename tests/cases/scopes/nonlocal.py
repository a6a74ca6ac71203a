def f():
    count = 0
    def g():
        nonlocal count
        count += 1
        return count
    g()
    return g(), count
# run
f()
