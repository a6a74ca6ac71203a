# refused 3.8: FINALLY_COPY
# refused 3.9 3.10 3.11 3.12 3.13 3.14: NOT_PROVED
def f(g):
    try:
        return g()
    finally:
        return "swallowed"
# run
f(int); f(1)
