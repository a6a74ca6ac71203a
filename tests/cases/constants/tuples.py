empty = ()
one = (1,)
nested = ((1, "a"), (None, (True, b"x")), 2.5)
# run
empty, one, nested
