def f(items):
    return f"{', '.join(str(i) if i else '-' for i in items)!r:>{len(items) * 5}}" + ("!" if items else "?")
# run
f([1, 0]); f([])
