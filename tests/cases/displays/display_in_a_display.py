def f(a, b):
    return [*(*a, b), b], (*(*a, b), b), {*{*a, b}, b}, {**{**b, 1: a}, 2: b}
# run
f([1], {})
