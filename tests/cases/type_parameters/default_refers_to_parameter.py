# since: 3.13
class Box[T, U = list[T]]:
    pass
# run
Box.__type_params__[1].__default__
