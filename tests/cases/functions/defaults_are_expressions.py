import math
x = [1, 2]
def f(a=x[0] + 1, b=math.pi, *, c=(x, {"k": x}), d=lambda: 3):
    return a, b, c, d()
# run
f()
