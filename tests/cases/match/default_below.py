# since: 3.10
def f(x):
    match x:
        case [a]:
            return a
        case {"k": v}:
            return v
        case _:
            raise ValueError(x)
# run
f([1]); f({"k": 2}); f(3)
