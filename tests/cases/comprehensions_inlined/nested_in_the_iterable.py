def f(rows):
    return {n for n in [len(row) for row in rows]}
# run
f(["a", "bb", "cc"])
