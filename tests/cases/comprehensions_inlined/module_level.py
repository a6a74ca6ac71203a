x = "module"
squares = [x * x for x in range(3)]
table = {x: [y for y in range(x)] for x in range(3)}
# run
x; squares; table
