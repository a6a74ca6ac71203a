def f(a):
    return {x: j for x in a if j[x] if 0.0 for j in a}
# run
f([])
# expect 3.12 3.13 3.14
def f(a):
    return {None: None for x in a if j[x] if False for j in ()}
# expect 3.10 3.11
def f(a):
    return {None: None for x in a if True or a if j[x] if False for j in ()}
