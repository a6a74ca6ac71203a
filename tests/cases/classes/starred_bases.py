bases = (dict,)
class C(*bases):
    pass
# run
C.__bases__
