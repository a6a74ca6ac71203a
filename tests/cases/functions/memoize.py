def memoize(function):
    cache = {}
    def wrapper(*args):
        try:
            return cache[args]
        except KeyError:
            value = cache[args] = function(*args)
            return value
    wrapper.cache = cache
    return wrapper
@memoize
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
# run
fib(20); len(fib.cache)
