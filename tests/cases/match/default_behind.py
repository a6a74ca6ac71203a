# since: 3.10
def f(x):
    match x:
        case [a]:
            return a
        case {"k": v}:
            return v
    return "behind"
# run
f([1]); f({"k": 2}); f(3)
