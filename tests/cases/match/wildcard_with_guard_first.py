# since: 3.10
def f(x, flag):
    match x:
        case _ if flag:
            return "flag"
        case 1:
            return "one"
        case _:
            return "else"
# run
f(1, True); f(1, False); f(2, False)
