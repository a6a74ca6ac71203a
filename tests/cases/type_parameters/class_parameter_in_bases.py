# since: 3.12
class Box[T](list[T]):
    item: T
# run
Box.__orig_bases__; Box.__annotations__
