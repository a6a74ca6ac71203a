def f(a):
    x: int = a
    y: undefined_name
    z: "text" = x
    return x, z
# run
f(1)
