class Log:
    def __enter__(self):
        return "value"
    def __exit__(self, *what):
        print("exit", what[0])
def f(g):
    with Log() as value:
        g(value)
    return value
# run
f(print); f(1)
