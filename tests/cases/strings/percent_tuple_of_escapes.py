def f(a):
    return "%s and %% %r" % ("\n", a), "%a {}" % ("%s" % (a or "\ud800\n",),)
# run
f(""); f("x")
# expect 3.12 3.13 3.14
def f(a):
    return f"{'\n'!s} and % {a!r}", f"{f'{a or "\ud800\n"!s}'!a} {{}}"
# expect 3.11
def f(a):
    return f"""{'''
'''!s} and % {a!r}""", "%a {}" % ("%s" % (a or "\ud800\n",),)
