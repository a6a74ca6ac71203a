# since: 3.12
class Box[T]:
    def both[U](self, x: T, y: U = 1) -> tuple[T, U]:
        return x, y
    @staticmethod
    def static[V](x: V) -> V:
        return x
# run
Box().both(1); Box.static(2); Box.both.__annotations__
