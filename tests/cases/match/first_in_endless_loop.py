# since: 3.10
def f(items):
    while True:
        match items.pop():
            case None:
                return "none"
            case [x]:
                items.append(x)
            case x if x > 3:
                break
    return items
# run
f([None]); f([1, [None]]); f([0, [5]])
