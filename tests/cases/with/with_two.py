class Log:
    def __init__(self, name):
        self.name = name
    def __enter__(self):
        print("enter", self.name)
        return self.name
    def __exit__(self, *what):
        print("exit", self.name, what[0])
def f(g):
    with Log("a") as a, Log("b") as b:
        g(a, b)
    return "after"
# run
f(print); f(1)
