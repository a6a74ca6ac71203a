# since: 3.14
def f(a):
    template = t"{a} and {a!r:>{3}} {a + 1 = }"
    return template.strings, template.values, [i.expression for i in template.interpolations]
# run
f(1)
