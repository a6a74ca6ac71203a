def f(table, xs):
    table[len(xs)] = [x for x in xs]
    table["last"] += [x for x in xs]
    return table
# run
f({"last": [0]}, [1, 2])
