def once(a, b):
    while a:
        if a > 1:
            pass
        elif b:
            print(b)
        else:
            break
        while True:
            pass
    while a:
        a -= 1
    return b


def with_else(a, b):
    while a:
        if a > 2:
            if b:
                pass
        elif a > 1:
            a -= 1
            continue
        else:
            while True:
                pass
        break
    else:
        a = b
    print(a)
    raise KeyError
# run
once(0, 0); once(1, 0)
with_else(0, 1); with_else(3, 1)
# expect 3.8 3.9
def once(a, b):
    while True:
        if not a:
            break
        if not a > 1:
            if not b:
                break
            print(b)
        while True:
            pass
    while a:
        a -= 1
    return b


def with_else(a, b):
    while True:
        while a:
            if a > 2:
                break
            if a > 1:
                a -= 1
            else:
                while True:
                    pass
        else:
            a = b
            break
        if b:
            pass
        break
    print(a)
    raise KeyError
# expect 3.10 3.11 3.12 3.13 3.14
def once(a, b):
    while True:
        if not a:
            break
        if not a > 1:
            if not b:
                break
            print(b)
        while True:
            pass
    while a:
        a -= 1
    return b


def with_else(a, b):
    while True:
        while a:
            if a > 2:
                break
            if a > 1:
                a -= 1
                continue
            while True:
                pass
        else:
            a = b
            break
        if b:
            pass
        break
    print(a)
    raise KeyError
