def f(g):
    try:
        g()
    except ValueError:
        print("value")
    except TypeError as error:
        print("type", error)
    except:
        print("other")
    print("after")
# run
f(int); f(lambda: int("x")); f(1); f(lambda: 1 / 0)
