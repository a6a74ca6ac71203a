def f(a, b):
    return a not in b, not a in b, a is not b
# run
f(1, [1]); f(1, [])
