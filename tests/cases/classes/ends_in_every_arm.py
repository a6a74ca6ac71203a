class C:
    def f(self):
        return __class__
    try:
        a = int("1")
    except ValueError:
        b = 1
    except TypeError:
        b = 2

class D:
    def f(self):
        return super().__init__
    if C.a:
        with open("/dev/null") as g:
            h = 1
    else:
        h = 2
# run
C().f(); C.a
