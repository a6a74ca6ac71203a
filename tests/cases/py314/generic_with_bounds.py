# since: 3.14
class Box[T: int, U: (int, str) = int]:
    item: T
    def f[V: Box](self, x: V = None) -> U:
        return x
type Pair[T: int] = tuple[T, T]
# run
Box.__annotations__; Box.f.__annotations__; [p.__bound__ for p in Box.__type_params__]; Pair.__value__
