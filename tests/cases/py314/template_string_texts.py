# since: 3.14
def f(x):
    return t"{ x + 1 }{x=}{x[0]!r:>{x[1]}}"
# run
[(i.expression, i.format_spec) for i in f([1, 2]).interpolations]
