def f(items):
    try:
        for item in items:
            if item is None:
                return
            yield item
    finally:
        print("done")
# run
list(f([1, 2, None, 3])); g = f([1, 2]); next(g); g.close()
# expect 3.10 3.11 3.12 3.13 3.14
def f(items):
    try:
        for item in items:
            if item is None:
                break
            yield item
    finally:
        print("done")
