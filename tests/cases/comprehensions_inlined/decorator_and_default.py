def f(xs):
    @print_all([x for x in xs])
    def g(a=[x for x in xs]):
        return a
    return g()
def print_all(found):
    print(found)
    return lambda function: function
# run
f([1])
