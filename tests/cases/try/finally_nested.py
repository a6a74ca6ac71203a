def f(g):
    try:
        try:
            g()
        finally:
            print("inner")
    finally:
        print("outer")
    return "after"
# run
f(int); f(1)
