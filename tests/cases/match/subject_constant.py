# since: 3.10
def f():
    match 3:
        case 1:
            return "one"
        case n if n > 2:
            return n
# run
f()
