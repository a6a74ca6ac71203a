def f(g):
    try:
        g()
    except:
        print("caught")
    return "after"
# run
f(print); f(1)
