def f(a):
    pass
    if a:
        pass
    for x in a:
        pass
    pass
# run
f([1]); f(1)
