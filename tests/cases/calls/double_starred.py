def f(g, a, k):
    return g(**k), g(*a, **k), g(1, *a, x=2, **k), g(**k, **{"w": 1}, v=2)
# run
f(lambda *a, **k: (a, k), (5, 6), {"y": 7}); f(print, (), {"v": 1})
# expect 3.8 3.9 3.10 3.11 3.12 3.13 3.14
def f(g, a, k):
    return g(**k), g(*a, **k), g(1, *a, x=2, **k), g(**k, w=1, **{"v": 2})
