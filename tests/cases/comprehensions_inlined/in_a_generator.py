def f(rows):
    for row in rows:
        yield [x for x in row]
    yield from {x for x in rows[0]}
# run
list(f([[1], [2]]))
