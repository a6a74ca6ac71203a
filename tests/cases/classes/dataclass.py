import dataclasses
@dataclasses.dataclass
class Point:
    x: int
    y: int = 2
    z: list = dataclasses.field(default_factory=list)
# run
Point(1); Point(1, 3, [4])
