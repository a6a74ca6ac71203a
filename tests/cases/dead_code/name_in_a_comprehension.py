def f(a):
    return [(c, b) for b in a if [c for c in b]], [a for a in a], {b: d for b in a if (e := b)}, e
    del c, d
# run
f([[1]])
