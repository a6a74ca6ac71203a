# since: 3.14
class Outer:
    def method(self, flag):
        class Inner:
            if flag:
                x: int
        return Inner
# run
Outer().method(True).__annotations__
