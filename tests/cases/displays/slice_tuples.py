class Show:
    def __getitem__(self, key):
        return key
def f(a, i):
    return a[i, 1:2], a[..., None], a[:, i], a[i:, ::2, 0], a[()], a[i,]
# run
f(Show(), 3)
