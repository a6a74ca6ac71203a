# since: 3.12
class Box[T]:
    kinds = [T for _ in range(2)]
    calls = [lambda: (T, x) for x in range(2)]
# run
Box.kinds; Box.calls[0]()
