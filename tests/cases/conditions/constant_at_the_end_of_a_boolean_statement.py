def f(a, b):
    for x in b:
        a(x) or 10
    a(b) and "text"
# run
f([].append, [1, 2]); f(len, [[], "a"])
