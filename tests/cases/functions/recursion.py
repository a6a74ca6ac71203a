def f(n):
    return 1 if n < 2 else n * f(n - 1)
def g(n):
    def inner(m):
        return inner(m - 1) + 1 if m else 0
    return inner(n)
# run
f(5); g(3)
