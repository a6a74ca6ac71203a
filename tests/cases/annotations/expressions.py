import typing
def f(a: typing.List[int], b: typing.Optional["f"] = None) -> typing.Dict[str, int]:
    return b
# run
f(1); list(f.__annotations__)
