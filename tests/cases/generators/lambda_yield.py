f = lambda a: (yield a)
# run
list(f(1))
