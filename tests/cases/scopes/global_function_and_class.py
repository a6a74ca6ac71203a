def f():
    global g, C
    def g():
        return 1
    class C:
        pass
# run
f(); g(); C.__name__; C.__qualname__
