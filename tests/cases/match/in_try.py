# since: 3.10
def f(x):
    try:
        match x:
            case [a, b]:
                return a / b
            case int(n):
                return 10 / n
            case str():
                x = x.upper()
    except ZeroDivisionError as e:
        match e.args:
            case [str(text)]:
                return text
            case _:
                raise
    finally:
        match x:
            case [*_]:
                print("list")
            case _:
                print("no list")
    return x
# run
f([1, 2]); f([1, 0]); f(5); f(0); f("a"); f("b")
