def f(a):
    if a == 1:
        print("one")
    elif a == 2:
        print("two")
    print("after")
# run
f(1); f(2); f(3)
