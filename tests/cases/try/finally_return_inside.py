def f(g):
    try:
        return g()
    finally:
        return "swallowed"
# run
f(int); f(1)
