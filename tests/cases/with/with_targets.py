class Give:
    def __init__(self, value):
        self.value = value
    def __enter__(self):
        return self.value
    def __exit__(self, *what):
        return None
def f(where):
    with Give((1, 2)) as (a, b), Give(3) as where[0], Give([4, 5]) as [c, *d]:
        print(a, b, where, c, d)
    with Give(6) as where:
        pass
    return where
# run
f([0])
