from math import *
# run
floor(pi)
