# since: 3.12
class Box[T]:
    pass
# run
Box.__type_params__; Box.__orig_bases__; Box[int]
