# since: 3.12
class Meta(type):
    pass
class Box[T](metaclass=Meta):
    pass
# run
type(Box); Box.__type_params__
