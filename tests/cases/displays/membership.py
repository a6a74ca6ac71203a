def f(a):
    return a in (1, 2), a in [1, 2, a], a not in {1, 2, 3}, a in ()
# run
f(1); f(5)
