counter = 0
class C:
    global counter
    counter = 5
    other = counter
# run
counter; C.other; hasattr(C, "counter")
