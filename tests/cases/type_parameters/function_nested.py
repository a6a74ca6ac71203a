# since: 3.12
def outer[T](x: T):
    def inner[U](y: U) -> T:
        return T, U, x, y
    return inner
# run
outer(1)(2); outer(1).__annotations__
