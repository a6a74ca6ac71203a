# since: 3.10
def f(line, is_complete, run):
    match line:
        case "a":
            print(line)
        case ("q", 1):
            return None
        case _:
            if not is_complete(line):
                return True
            run(line)
    return False
# run
f("a", len, len); f("", len, len); f("bb", len, len); f(("q", 1), len, len)
