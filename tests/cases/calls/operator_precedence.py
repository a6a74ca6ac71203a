def f(a, b, c):
    return (a + b) * c, a + b * c, a - (b - c), -a ** b, (-a) ** b, a ** -b, not a == b, (a, b)[c > 2]
# run
f(2, 3, 1)
