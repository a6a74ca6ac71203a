import sys
if sys.maxsize > 10:
    size = "large"
elif sys.maxsize:
    size = "small"
else:
    size = "none"
flag = size and size == "large" or None
# run
size; flag
