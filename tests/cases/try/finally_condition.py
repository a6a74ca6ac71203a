def f(g, a):
    try:
        g()
    finally:
        if a:
            print("a")
        else:
            print("no a")
    return "after"
# run
f(int, 1); f(1, 0)
