def f():
    return 1
    print("never")
# run
f()
