# until: 3.13
class A:
    "Text."
    if 0:
        b: int
    c = 1

if 0.0:
    d: int
# run
A.__annotations__, A.__doc__, A.c, __annotations__
