def f(base, value):
    class C(base):
        attribute = value
        def get(self):
            return value, self.attribute
    return C
# run
f(dict, 3)().get(); f(dict, 3).__qualname__
