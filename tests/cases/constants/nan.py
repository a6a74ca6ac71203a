values = (1e400 - 1e400, 1e400)
# run
values
