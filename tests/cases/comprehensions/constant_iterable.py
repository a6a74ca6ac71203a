def f():
    return [x for x in (1, 2, 3)], [x for x in "ab"]
# run
f()
