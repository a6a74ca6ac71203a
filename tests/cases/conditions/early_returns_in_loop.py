def f(items):
    if not items:
        return None
    for item in items:
        if item is None:
            continue
        if isinstance(item, str):
            if item:
                return item
            elif len(items) > 1:
                return "blank"
        elif item:
            return repr(item)
    return "nothing"
# run
f([]); f([None, 0]); f(["", 1]); f([""]); f([3]); f(["a"])
