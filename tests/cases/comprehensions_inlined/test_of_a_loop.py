def f(xs):
    while [x for x in xs if x > 1]:
        xs.pop()
    return xs
# run
f([1, 2, 3])
