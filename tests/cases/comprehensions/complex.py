def f(table, keys):
    return {
        key: [value if value > 0 else -value for value in row if value]
        for key, row in sorted(table.items())
        if key in keys or not keys
    }
# run
f({"b": [1, -1, 0], "a": []}, []); f({"b": [1]}, ["a"])
