def f(a):
    return f"{a + 1} {len(a) if isinstance(a, str) else 'none'} {[x for x in 'ab']} {(lambda: 1)()}"
# run
f(1)
