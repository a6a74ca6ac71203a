def f(a, b):
    a &= b
    a |= 8
    a ^= b
    a <<= 2
    a >>= 1
    return a
# run
f(5, 3)
