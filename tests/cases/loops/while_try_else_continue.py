def f(items):
    while True:
        try:
            x = items.pop()
        except IndexError:
            return "empty"
        else:
            if x < 0:
                continue
        finally:
            print("finally")
        print(x)
# run
f([1, -1, 2])
