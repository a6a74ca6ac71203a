class Log(dict):
    def __setitem__(self, k, v):
        print("set", k, v)
def f(g):
    g("d")[g("k")] = g("v")
    g("d")[g("k1")], g("d")[g("k2")] = g("v1"), g("v2")
# run
f(lambda x: (print(x), Log() if x == "d" else x)[1])
