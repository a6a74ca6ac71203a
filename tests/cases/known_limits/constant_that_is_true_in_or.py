# refused 3.10 3.11 3.12 3.13 3.14: NOT_PROVED
def f(w, a):
    return (w or "t") or a, a
