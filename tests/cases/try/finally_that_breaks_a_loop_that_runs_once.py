# until: 3.8
def f(n):
    while n < 2:
        n += 1
        try:
            1 / 0
        finally:
            break
    return n
# run
f(0); f(3)
# expect 3.8
def f(n):
    while True:
        if not n < 2:
            break
        n += 1
        try:
            1 / 0
        finally:
            break
        break
    return n
