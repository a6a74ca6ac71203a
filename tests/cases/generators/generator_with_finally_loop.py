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
