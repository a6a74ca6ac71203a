def f(a):
    if a == 0:
        r = "0"
    elif a == 1:
        r = "1"
    elif a == 2:
        r = "2"
    elif a == 3:
        r = "3"
    elif a == 4:
        r = "4"
    elif a == 5:
        r = "5"
    elif a == 6:
        r = "6"
    elif a == 7:
        r = "7"
    else:
        r = "?"
    return r
# run
[f(n) for n in range(10)]
