functions = []
for n in range(3):
    def f(n=n):
        return n
    functions.append(f)
# run
[f() for f in functions]
