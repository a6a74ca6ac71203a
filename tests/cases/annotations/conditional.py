flag = True
if flag:
    x: int = 1
else:
    y: int = 2
# run
x; __annotations__
