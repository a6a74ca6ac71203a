def f(xs):
    if found := [x for x in xs if x]:
        print(found)
# run
f([0]); f([1])
