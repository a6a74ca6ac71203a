def f(threads, started):
    try:
        for thread in threads:
            print(thread)
    finally:
        try:
            print("join")
        finally:
            if started:
                print("wait")
# run
f([1, 2], 0); f([], 1); f([1], True)
