def f(open_it, use):
    handle = None
    try:
        handle = open_it()
        result = use(handle)
        if not result:
            return "nothing"
        return result
    except OSError as error:
        print(error)
        return None
    finally:
        if handle is not None:
            print("close", handle)
# run
f(lambda: 1, lambda h: h + 1); f(lambda: 1, lambda h: 0); f(lambda: open("/no/such"), int); f(lambda: 1, lambda h: 1 / 0)
