# until: 3.13
class M:
    __annotations__["123"] = 123
    o: type = object
# run
M.__annotations__
