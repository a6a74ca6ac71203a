class Swallow:
    def __enter__(self):
        return self
    def __exit__(self, *what):
        return True
def f(g):
    with Swallow():
        return g()
    return "swallowed"
# run
f(int); f(1)
