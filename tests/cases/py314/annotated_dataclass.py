# since: 3.14
from dataclasses import dataclass, field
@dataclass
class C:
    a: int
    b: list = field(default_factory=list)
    c: str = "c"
# run
C(1); C(1, c="d")
