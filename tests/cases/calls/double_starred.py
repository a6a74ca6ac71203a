def f(g, a, k):
    return g(**k), g(*a, **k), g(1, *a, x=2, **k), g(**k, **{"w": 1}, v=2)
# run
f(lambda *a, **k: (a, k), (5, 6), {"y": 7}); f(print, (), {"v": 1})
