def f(parts, resolve):
    path = ""
    while parts:
        name = parts.pop()
        try:
            if name == ".":
                path = path or "/"
                continue
            target = resolve(name)
        except ValueError:
            pass
        else:
            print(target)
            continue
        path = path + name
    return path
# run
f(["a", ".", "1"], int); f([], int); f(["1", "2"], int)
