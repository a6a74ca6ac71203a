def f(a):
    if a and (first := a[0]) and first > 1:
        return first
    return None
# run
f([]); f([1]); f([2])
