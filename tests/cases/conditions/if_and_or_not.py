def f(a, b, c, d):
    if a and b or c and not d:
        print("in")
    else:
        print("out")
# run
f(1, 1, 0, 0); f(0, 1, 1, 0); f(0, 0, 1, 1); f(1, 0, 0, 0)
