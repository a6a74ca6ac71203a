def f(a, k):
    try:
        (w := k) or a
    except ValueError as e:
        return e
    print(w)
    (w := a) and print(w)
# run
f(0, 1); f(1, 0)
