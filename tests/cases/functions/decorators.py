def tag(name):
    def decorate(function):
        function.tag = name
        return function
    return decorate
def plain(function):
    return function
@tag("a")
@plain
@tag(name="b")
def f(x):
    return x
# run
f(1); f.tag
