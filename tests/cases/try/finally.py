def f(g):
    try:
        g()
    finally:
        print("finally")
    return "after"
# run
f(int); f(1)
