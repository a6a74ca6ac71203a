def f(w, a):
    return (w or "t") or a, a
