class Log:
    def __enter__(self):
        return self
    def __exit__(self, *what):
        print("exit")
def f(items):
    for item in items:
        with Log():
            if item == 0:
                continue
            if item == 1:
                break
            if item == 2:
                return "two"
            print(item)
        print("after", item)
    return "end"
# run
f([0, 3, 1]); f([3, 2]); f([])
