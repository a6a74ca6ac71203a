def f():
    while False:
        print("never")
    return 1
# run
f()
