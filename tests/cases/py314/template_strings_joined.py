# since: 3.14
def f(x):
    return t"a{x}" t"{x}b"
# run
f(1).strings
