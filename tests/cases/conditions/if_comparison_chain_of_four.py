def f(a, b, c, d):
    if a < b <= c < d:
        return "in order"
# run
f(1, 2, 2, 3); f(1, 2, 2, 2); f(2, 1, 3, 4)
# expect 3.8 3.9
def f(a, b, c, d):
    return "in order" if a < b <= c < d else None
