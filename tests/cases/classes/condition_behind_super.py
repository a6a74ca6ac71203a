def f(a, b, c):
    class A:
        def m(self):
            return super()

        a or print({x for x in b if x in c})
    return A().m()
# run
f(0, [1, 2], [2]); f(1, 2, 3)
