def f(names):
    table = {}
    for name in names:
        def call(*args, name=name):
            return name, args, len(table)
        table[name] = call
    return [table[name](i) for i, name in enumerate(names)]
# run
f(["a", "b"])
