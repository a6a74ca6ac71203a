def f(rows):
    return [x for x in rows if [y for y in x if y]]
# run
f([[1], [0], []])
