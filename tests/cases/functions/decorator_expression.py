# since: 3.9
decorators = [lambda f: f, lambda f: "replaced"]
@(decorators[0])
def f():
    return 1
class Holder:
    first = decorators
@Holder.first.__getitem__(1)
def g():
    return 2
# run
f(); g
