def f(g, kinds):
    try:
        g()
    except kinds[0]:
        print("first")
    except kinds[1:] as error:
        print("rest", error)
# run
f(1, (TypeError,)); f(1, (ValueError, TypeError)); f(1, ())
