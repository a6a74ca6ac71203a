def f(read, ready):
    try:
        if ready:
            read()
    except:
        print("cancel")
        raise
    finally:
        data, error = divmod(ready, 2)
        if error:
            return data
        elif data:
            return error
# run
f(int, 1); f(int, 2); f(int, 0); f(lambda: int("x"), 1); f(lambda: int("x"), 4)
