# since: 3.10
def f(x):
    match x:
        case 1:
            return "one"
        case -2:
            return "minus two"
        case "a":
            return "text"
        case b"b":
            return "bytes"
        case 1.5:
            return "float"
# run
f(1); f(-2); f("a"); f(b"b"); f(1.5); f(True); f(3)
