def f(xs):
    return [x for x in xs if x if x != 3 if not x % 2 or x > 5]
# run
f(range(9))
