def g(f, b, c):
    return [e for e in f if b or c or "%s"], (e for e in f if b and c or 1 if e)
# run
g([1, 0], 0, 0)[0]; list(g([1, 0], 0, 2)[1])
# expect 3.8 3.9 3.10 3.11
def g(f, b, c):
    return [e for e in f if "%s" if b or c or True], (e for e in f if b and c or True if e)
# expect 3.12 3.13 3.14
def g(f, b, c):
    return [e for e in f if b or c or True], (e for e in f if b and c or True if e)
