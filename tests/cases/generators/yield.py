def f(n):
    for i in range(n):
        yield i
    yield "end"
# run
list(f(3)); list(f(0))
