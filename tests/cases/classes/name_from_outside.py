x = "global"
def f():
    x = "local"
    class C:
        y = x
        x = "class"
        z = x
    return C
class D:
    x = x
# run
f().y; f().z; D.x
