def f(a, b):
    return f"{a}", f"{a!r} and {b!s}", f"{a:>5}|{b:{a}}", f"{{{a}}}", f"{a}{b}"
# run
f(3, "x")
