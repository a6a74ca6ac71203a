class Log:
    def __enter__(self):
        return self
    def __exit__(self, *what):
        print("exit", what[0])
def f(g):
    with Log() as log:
        try:
            g()
        except TypeError:
            return "type"
        print("fine")
    return "after"
# run
f(int); f(1); f(lambda: int("x"))
