# since: 3.14
def f(*args: *tuple[int, str]):
    return args
# run
f.__annotations__
