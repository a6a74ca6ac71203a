f = lambda xs: [x for x in xs if x]
# run
f([0, 1])
