flag = True
class C:
    if flag:
        def f(self):
            return "flag"
    else:
        def f(self):
            return "no flag"
# run
C().f()
