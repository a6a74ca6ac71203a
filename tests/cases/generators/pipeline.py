def f(rows):
    for row in rows:
        yield from (cell for cell in row if cell)
        if not row:
            yield "empty"
# run
list(f([[1, 0], [], [2]]))
