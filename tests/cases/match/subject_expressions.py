# since: 3.10
def f(x, y):
    match x.strip(), len(y):
        case ["a", 1]:
            return 1
    match x or y:
        case [z]:
            return z
    match [*y, x]:
        case [*_, "b"]:
            return 4
    match (z := x + "!"):
        case {**_z}:
            return 5
        case _:
            return z
# run
f("a", [1]); f("", [1]); f("b", [1, 2]); f("c", [1, 2])
