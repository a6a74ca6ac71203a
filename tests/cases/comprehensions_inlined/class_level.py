class C:
    xs = [1, 2]
    doubled = [x * 2 for x in xs]
    pairs = {x: y for x in (1, 2) for y in "ab"}
# run
C.doubled; C.pairs
