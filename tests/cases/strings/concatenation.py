def f(a):
    return "a" + a + "b", "ab" * 2, "-" * 10
# run
f("x")
