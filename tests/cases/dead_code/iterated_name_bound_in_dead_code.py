def f(a):
    raise {k for k in j}
    for i, *j in a:
        pass
# run
f([])
