def f(rows):
    return {k: {x: k for x in v} for k, v in rows.items()}
# run
f({1: [2, 3], 4: []})
