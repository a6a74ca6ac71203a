def f(items):
    for item in items:
        if item:
            yield item
        else:
            yield from "ab"
# run
list(f([0, 1]))
