def f(items):
    for item in items:
        print(item)
# run
f([1, 2]); f(())
