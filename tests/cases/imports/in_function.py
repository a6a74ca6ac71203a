def f():
    import os.path
    import collections.abc as abc
    from math import floor, ceil as up
    return os.path.sep, abc.Sized, floor(1.5), up(1.5)
# run
f()
