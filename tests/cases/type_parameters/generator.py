# since: 3.12
def f[T](xs: list[T]):
    yield from xs
    yield T
# run
list(f([1]))
