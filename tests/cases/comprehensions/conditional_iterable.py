def f(a, b):
    return [x for x in (a if a else b or [])], [x for x in a or b if x]
# run
f([], [1, 0]); f([2], []); f([], [])
