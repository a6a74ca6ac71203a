class C:
    """Only this."""
class D:
    ...
# run
C.__doc__; D.__doc__
