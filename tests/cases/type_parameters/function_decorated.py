# since: 3.12
def marked(function):
    function.mark = True
    return function
@marked
@marked
def f[T](x: T):
    return x
# run
f.mark; f(1)
