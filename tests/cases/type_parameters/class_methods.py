# since: 3.12
class Box[T]:
    def __init__(self, item: T) -> None:
        self.item = item
    def get(self) -> T:
        return self.item
    def kind(self):
        return T
# run
Box(1).get(); Box(1).kind(); Box.get.__annotations__
