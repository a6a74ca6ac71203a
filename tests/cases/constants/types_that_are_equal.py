def f():
    return 1, 1.0, True, 1 + 0j, 0, 0.0, -0.0, False
# run
f()
