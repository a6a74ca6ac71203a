class Log:
    def __enter__(self):
        return self
    def __exit__(self, *what):
        print("exit", what[0])
def f(g):
    try:
        with Log():
            g()
    except TypeError:
        print("type")
    finally:
        print("finally")
    return "after"
# run
f(int); f(1); f(lambda: int("x"))
