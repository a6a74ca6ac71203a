# since: 3.10
def f(x):
    match x:
        case 1 | 2 | "three" | None:
            return "some"
        case [1 | 2, ("a" | "b") as c]:
            return c
# run
f(1); f("three"); f(None); f([2, "b"]); f([3, "b"])
