class M:
    def __matmul__(self, other):
        return ("matmul", other)
def f(m):
    x = m @ 1
    m @= 2
    return x, m
# run
f(M())
