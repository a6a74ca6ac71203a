def f(a, g):
    a and g(a)
    a or g("nothing")
    return a
# run
f(0, print); f(1, print)
