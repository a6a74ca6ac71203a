def f(x):
    if x in {1, 2, 3}:
        return "number"
    if x in ["a", "b"]:
        return "letter"
    for y in [10, 20]:
        if x == y:
            return "ten"
# run
f(1); f("a"); f(20); f(None)
