def f(a, w):
    return f"{a:.2f}", f"{a!r:>{w}}", f"{a:{w}.{1}}", f"{a:,}"
# run
f(1234.5, 9)
