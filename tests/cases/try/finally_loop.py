def f(g, items):
    try:
        g()
    finally:
        for item in items:
            print(item)
    return "after"
# run
f(int, [1, 2]); f(1, [3])
