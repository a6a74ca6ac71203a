import contextlib
@contextlib.contextmanager
def log(name):
    print("enter", name)
    try:
        yield name
    finally:
        print("exit", name)
def f(g):
    with log("a") as a:
        print("between")
        with log("b") as b:
            g(a, b)
        print("after b")
    return "after"
# run
f(print); f(1)
