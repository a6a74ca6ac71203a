# since: 3.10
match a, *b:
    case -1 | "a" | None | True | a.b | 1 - 2j:
        pass
    case [a, *b, _] | [*_]:
        pass
    case {"a": [1 | 2], "b": a as b, **c}:
        pass
    case {}:
        pass
    case C(a, 1 as b, c=D() | None) as d if a := b:
        pass
    case (1 | 2) | 3 as a:
        pass
    case (1 as a) | (2 as a):
        pass
    case (a as b) as c:
        pass
    case []:
        pass
    case _:
        pass
match a := b:
    case a:
        pass
match -a:
    case a:
        pass
