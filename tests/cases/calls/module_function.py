import math
import os.path
def f(x):
    return math.floor(x), os.path.join("a", "b")
# run
f(1.5)
