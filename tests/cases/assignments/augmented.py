def f(a, b):
    a += b
    a -= 1
    a *= b
    a /= 2
    a //= 1
    a %= 7
    a **= 2
    return a
# run
f(5, 3)
