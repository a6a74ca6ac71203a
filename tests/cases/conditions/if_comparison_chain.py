def f(a, b, c):
    if a < b < c:
        print("ordered")
    else:
        print("unordered")
# run
f(1, 2, 3); f(3, 2, 1); f(1, 3, 2)
