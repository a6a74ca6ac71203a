# since: 3.10
class C:
    value = [1, 2]
    match value:
        case [first, *rest]:
            kind = "list"
        case {"k": first}:
            kind = "dict"
    def method(self):
        match self:
            case C(kind="list", first=n):
                return n
# run
C.kind; C.first; C.rest; C().method()
