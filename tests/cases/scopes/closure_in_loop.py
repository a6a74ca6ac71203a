def f():
    functions = []
    for i in range(3):
        functions.append(lambda: i)
    return [g() for g in functions]
# run
f()
