def f():
    1
    "text"
    None
    return 2
# run
f()
