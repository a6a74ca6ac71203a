f = lambda: 1
g = lambda x, *y, z=2, **w: (x, y, z, w)
h = lambda a: lambda b: a + b
k = lambda a, /, b, *, c: a if b else c
# run
f(); g(1, 3, z=4, k=5); h(1)(2); k(1, 0, c=3)
