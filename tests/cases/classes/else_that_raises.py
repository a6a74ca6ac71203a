a = 1


class C:
    if a:
        x = 1
    elif a is None:
        def f(self):
            return super().f()
    else:
        raise ValueError


if a:
    if C.x:
        import os
    else:
        y = 2
else:
    raise
# run
C.x; os.name
