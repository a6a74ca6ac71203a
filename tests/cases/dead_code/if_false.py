def f():
    if False:
        print("never")
    if 0:
        print("never")
    else:
        print("always")
    return 1
# run
f()
