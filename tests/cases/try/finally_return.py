def f(g):
    try:
        return g()
    finally:
        print("finally")
# run
f(int); f(1)
