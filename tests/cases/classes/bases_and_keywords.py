class Meta(type):
    def __new__(cls, name, bases, namespace, **kwargs):
        made = super().__new__(cls, name, bases, namespace)
        made.kwargs = kwargs
        return made
    def __init__(cls, name, bases, namespace, **kwargs):
        super().__init__(name, bases, namespace)
class A:
    pass
class C(A, dict, metaclass=Meta, key=1, **{"other": 2}):
    pass
# run
C.kwargs; C.__bases__; type(C)
