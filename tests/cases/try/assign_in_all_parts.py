def f(g):
    state = []
    try:
        state.append("try")
        g()
    except ValueError:
        state.append("except")
    else:
        state.append("else")
    finally:
        state.append("finally")
    state.append("after")
    return state
# run
f(int); f(lambda: int("x")); f(1)
