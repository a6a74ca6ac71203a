import contextlib
with contextlib.suppress(ValueError) as nothing:
    x = 1
    x = int("x")
    x = 2
# run
x; nothing
