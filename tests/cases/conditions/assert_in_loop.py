def f(items):
    for item in items:
        assert item > 0, item
        print(item)
# run
f([1, 2]); f([1, 0])
