f = lambda a, b: a and b or not a
g = lambda a: a if a > 1 else -a if a else None
h = lambda a, b, c: a < b < c
# run
f(1, 2); f(0, 2); g(5); g(1); g(0); h(1, 2, 3); h(1, 3, 2)
