class Log:
    def __enter__(self):
        return self
    def __exit__(self, *what):
        print("exit", what[0])
def f(g):
    with Log():
        return g()
# run
f(int); f(1)
