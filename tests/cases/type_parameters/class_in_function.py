# since: 3.12
def f(base):
    class Box[T](base):
        item: T
        made_from = base
    return Box
# run
f(list).__orig_bases__; f(dict).made_from
