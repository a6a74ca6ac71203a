def f(a, i):
    return a[:], a[i:], a[:i], a[i:i + 1], a[::2], a[i::-1], a[:-1], a[1:3]
# run
f("abcdef", 2)
