def f(values, last):
    for value in values:
        try:
            if 1 / value == last:
                break
        except ZeroDivisionError:
            print("zero")
        print(value)
    print("end")
# run
f([], 1); f([0, 2, 1, 3], 1); f([0], 1); f([2, 4], 0)
