def f(xs):
    for x in [x * 2 for x in xs]:
        if x == 4:
            break
        print(x)
    else:
        print("all")
    return xs
# run
f([1]); f([1, 2])
