# since: 3.11
class Show:
    def __getitem__(self, key):
        return key
def f(a, b):
    return a[*b], a[1, *b, 2:3]
# run
f(Show(), [7, 8])
