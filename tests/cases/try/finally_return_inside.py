def f(g):
    try:
        return g()
    finally:
        return "swallowed"
# run
f(int); f(1)
# expect 3.9 3.10 3.11 3.12 3.13 3.14
def f(g):
    try:
        g()
    except:
        pass
    return "swallowed"
