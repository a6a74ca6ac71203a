def f(a):
    global last
    b = [last := x for x in a]
    return b, list((last := y) for y in b)
# run
f([1, 2]); last
