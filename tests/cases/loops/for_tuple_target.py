def f(pairs):
    for name, (first, *rest) in pairs:
        print(name, first, rest)
# run
f([("a", (1, 2, 3)), ("b", [4])]); f([(1, ())])
