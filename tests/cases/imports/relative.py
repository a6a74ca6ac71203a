def f():
    from . import name
def g():
    from .module import name
def h():
    from ...package.module import first, second as other
    return first
# run
f(); g(); h()
