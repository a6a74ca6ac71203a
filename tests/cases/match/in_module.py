# since: 3.10
x = {"a": [1, 2]}
match x:
    case {"b": b}:
        y = b
    case {"a": [a, *rest]} if a:
        y = a, rest
    case _:
        y = None
# run
y
