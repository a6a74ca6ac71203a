def first():
    return 1
x = first()
def second():
    return x
if x:
    def third():
        return second()
else:
    third = None
# run
third()
