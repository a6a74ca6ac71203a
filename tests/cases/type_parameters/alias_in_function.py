# since: 3.12
def f(kind):
    type Local = list[kind]
    type Generic[T] = dict[kind, T]
    return Local, Generic
# run
[alias.__value__ for alias in f(int)]
