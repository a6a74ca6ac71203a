def f(a):
    b = a + 1
    return (lambda c: (lambda d: a + b + c + d))
# run
f(1)(2)(3)
