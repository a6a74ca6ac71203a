def f(a, b):
    while True:
        try:
            if a():
                pass
        finally:
            b.x = 1


def endless_clause(a):
    try:
        a()
    except ValueError:
        while True:
            pass
    finally:
        pass
# run
f(int, int)
endless_clause(int)
