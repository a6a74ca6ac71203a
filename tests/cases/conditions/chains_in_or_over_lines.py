def f(c, ord):
    return c(0) or (65 <= ord(c) <= 70) or \
        (97 <= ord(c) <= 102)


def g(c, ord): return c(0) or \
    (65 <= ord(c) <= 70) or (97 <= ord(c) <= 102)
# run
f(int, lambda c: 98); f(int, lambda c: 3); f(str, lambda c: 3); g(int, lambda c: 67); g(int, lambda c: 200)
