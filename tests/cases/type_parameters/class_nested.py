# since: 3.12
class Outer[T]:
    class Inner[U]:
        x: T
        y: U
    z: Inner
# run
Outer.Inner.__annotations__; Outer.__annotations__
# expect 3.14
class Outer[T]:
    z: Inner

    class Inner[U]:
        x: T
        y: U
