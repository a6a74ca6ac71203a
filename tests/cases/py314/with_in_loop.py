# since: 3.14
import contextlib
def f(xs):
    for x in xs:
        with contextlib.nullcontext(x) as y:
            if y == 1:
                continue
            if y == 2:
                break
            print(y)
    return "done"
# run
f([1, 0, 2, 3])
