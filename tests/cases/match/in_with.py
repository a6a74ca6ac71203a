# since: 3.10
import contextlib
def f(x):
    with contextlib.suppress(KeyError) as c:
        match x, c:
            case [1, None]:
                return "one"
            case [n, _] if n > 2:
                raise KeyError(n)
            case [_, _]:
                x = "else"
    return x
# run
f(1); f(3); f(2)
