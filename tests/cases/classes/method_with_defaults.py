class C:
    default = [1]
    def f(self, x=default, *, y=len(default)):
        return x, y
# run
C().f()
