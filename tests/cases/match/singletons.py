# since: 3.10
def f(x):
    match x:
        case None:
            return "none"
        case True:
            return "true"
        case False:
            return "false"
        case _:
            return "else"
# run
f(None); f(True); f(False); f(1); f(0)
