def f(items, log):
    for item in items:
        try:
            value = 1 / item
        except ZeroDivisionError:
            log.append("zero")
            break
        except TypeError:
            log.append("type")
            continue
        log.append(value)
    else:
        log.append("all")
    return log
# run
f([1, 2], []); f([1, 0], []); f(["a", 1], [])
