# since: 3.10
def f(xs):
    for x in xs:
        match x:
            case [a, *rest]:
                yield a
                yield from rest
            case {"k": v}:
                sent = yield v
            case None:
                return
# run
list(f([[1, 2], {"k": 3}, 4, None, 5]))
