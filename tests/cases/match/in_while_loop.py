# since: 3.10
def f(stack):
    seen = []
    while stack:
        match stack.pop():
            case []:
                break
            case [head, *tail]:
                stack.append(tail)
                seen.append(head)
            case int() | str() as leaf:
                seen.append(leaf)
                continue
        seen.append("next")
    return seen
# run
f([1, [2, 3]]); f(["a", []]); f([])
