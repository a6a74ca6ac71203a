def f(a=...):
    return a is ..., ...
# run
f(); f(1)
