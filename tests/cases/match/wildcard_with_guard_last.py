# since: 3.10
def f(x, flag):
    match x:
        case 1:
            return "one"
        case _ if flag:
            return "flag"
        case _:
            return "else"
# run
f(1, True); f(2, True); f(2, False)
