# since: 3.14
def f(rows):
    return all(any(x for x in row) for row in rows) or tuple(all(c for c in row) for row in rows)
# run
f([[1], [0]]); f([[1]])
