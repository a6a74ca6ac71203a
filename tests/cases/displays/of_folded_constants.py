def folded_late():
    x = [2 or 3, 2, 3]
    y = {2 or 3, 2, 3, 9, 17}
    z = {2 or 3: 1, 2: x}
    return x, y, z


def once():
    return {1, 1.0, True}, {3, 3, 3}, {1, 2, 1}


def starred():
    return [*(1, 2)], {*(1, 2)}, {*()}, {*(1, 2, 3)}, [*()], [*(), 1, 2, 3], [1, 2, 3, *()]


def called(f):
    return f(*() or (), *{} and (), **() or {})
# run
folded_late(); once(); starred(); called(print)
# expect 3.10 3.11 3.12 3.13
def folded_late():
    x = [2, 2, 3]
    y = {*(2, 2, 3, 9, 17)}
    z = {2 or 2: 1, 2: x}
    return x, y, z


def once():
    return {1, 1, 1}, {3, 3, 3}, {1, 2, 1}


def starred():
    return [*(1, 2)], {*(1, 2)}, {*()}, {*(1, 2, 3)}, [*()], [*(), 1, 2, 3], [1, 2, 3, *()]


def called(f):
    return f(*(), *({} and ()), **{})
# expect 3.8
def folded_late():
    x = [2 or 3, 2, 3]
    y = {2 or 3, 2, 3, 9, 17}
    z = {2 or 3: 1, 2: x}
    return x, y, z


def once():
    return {1, 1.0, True}, {3, 3, 3}, {1, 2, 1}


def starred():
    return [*(1, 2)], {*(1, 2)}, {*()}, {*(1, 2, 3)}, [*()], [*(), *(1, 2, 3)], [1, 2, 3, *()]


def called(f):
    return f(*(() or ()), *({} and ()), **(() or {}))
# expect 3.9
def folded_late():
    x = [2 or 3, 2, 3]
    y = {2 or 3, 2, 3, 9, 17}
    z = {2 or 3: 1, 2: x}
    return x, y, z


def once():
    return {1, 1, 1}, {3, 3, 3}, {1, 2, 1}


def starred():
    return [*(1, 2)], {*(1, 2)}, {*()}, {*(1, 2, 3)}, [*()], [*(), 1, 2, 3], [1, 2, 3, *()]


def called(f):
    return f(*(() or ()), *({} and ()), **(() or {}))
# expect 3.14
def folded_late():
    x = [2, 2, 3]
    y = {*(2, 2, 3, 9, 17)}
    z = {2: 1, 2: x}
    return x, y, z


def once():
    return {1, 1, 1}, {3, 3, 3}, {1, 2, 1}


def starred():
    return [*(1, 2)], {*(1, 2)}, {*()}, {*(1, 2, 3)}, [*()], [*(), 1, 2, 3], [*(1, 2, 3), *()]


def called(f):
    return f(*(() or ()), *({} and ()), **(() or {}))
