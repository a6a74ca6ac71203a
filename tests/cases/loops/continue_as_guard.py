def f(items):
    for item in items:
        if item is None:
            continue
        if not item:
            print("empty")
            continue
        if len(item) > 3:
            if item[0] == "a":
                print("long")
            continue
        print(item)
def g(items):
    while True:
        item = items.pop()
        if item == 1:
            continue
        if item == 2:
            break
        if item == 3 or item == 4:
            continue
        print(item)
def h(items):
    for item in items:
        if item:
            print(item)
        else:
            print("none")
# run
f([None, "", "abcd", "bcde", "x"]); g([9, 2, 8, 4, 7, 3, 1]); h([0, 1])
# expect 3.8 3.9
def f(items):
    for item in items:
        if item is None:
            continue
        if not item:
            print("empty")
            continue
        if len(item) > 3:
            if item[0] == "a":
                print("long")
                continue
        else:
            print(item)


def g(items):
    while True:
        item = items.pop()
        if item == 1:
            continue
        if not item == 2:
            if not item == 3:
                if item == 4:
                    continue
                print(item)
        else:
            return


def h(items):
    for item in items:
        if item:
            print(item)
        else:
            print("none")
# expect 3.10 3.11 3.12 3.13 3.14
def f(items):
    for item in items:
        if item is None:
            continue
        if not item:
            print("empty")
            continue
        if len(item) > 3:
            if item[0] == "a":
                print("long")
            continue
        print(item)


def g(items):
    while True:
        item = items.pop()
        if item == 1:
            continue
        if item == 2:
            return
        if item == 3 or item == 4:
            continue
        print(item)


def h(items):
    for item in items:
        if item:
            print(item)
        else:
            print("none")
