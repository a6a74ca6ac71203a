def f(a, b, c):
    a(**b, **{c: 1}), a(**b, **{"class": 2}, d=3), a(*(*c, b), *c), a(**b, **{**b})
# run
f(dict, {"x": 1}, "y")
