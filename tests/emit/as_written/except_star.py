# since: 3.11
try:
    pass
except* (A, B) as a:
    pass
except* C:
    pass
else:
    pass


def f(*args: *Ts) -> a[*Ts, b]:
    pass


a[*b]
a[*b, c:d]
