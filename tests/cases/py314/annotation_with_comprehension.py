# since: 3.14
def f(x: [y for y in range(3)], z: (lambda: 1)) -> {y: 1 for y in "ab"}:
    return x
# run
f.__annotations__["x"]; f.__annotations__["return"]
