# since: 3.13
class Box[T = undefined]:
    pass
# run
Box.__type_params__[0].__default__
