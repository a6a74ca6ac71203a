# since: 3.10
def f(x):
    match x:
        case int(n) if n > 1:
            return n
        case str(s) | bytes(s):
            return s
        case list([a, b]):
            return a, b
        case dict({"k": v}):
            return v
        case bool() | float():
            return "number"
# run
f(2); f("s"); f(b"s"); f([1, 2]); f({"k": 3}); f(True); f(1.5); f(None)
