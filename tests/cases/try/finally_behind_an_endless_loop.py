def body(a):
    try:
        a()
        while True:
            pass
    finally:
        print(a)


def behind(a):
    try:
        a()
    finally:
        with a:
            pass
    while True:
        pass
# run
body(None)
behind(None)
