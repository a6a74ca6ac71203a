def f(a, b):
    return [a, b], (a, b), {a, b}, {a: b, "k": a}, [], (), {}, (a,)
# run
f(1, 2)
