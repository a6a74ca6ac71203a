class Log:
    def __enter__(self):
        print("enter")
        return self
    def __exit__(self, *what):
        print("exit", what[0])
def f(g):
    with Log():
        g()
    return "after"
# run
f(int); f(1)
