def f(steps):
    log = []
    try:
        steps[0]()
    except KeyError:
        return
    except BaseException as error:
        log.append(repr(error))
        if len(steps) > 1:
            try:
                steps[1]()
            except KeyError as second:
                log.append(repr(second))
                return
        log.append("saved")
    finally:
        if log:
            print(log)
    if log:
        if len(log) == 1:
            raise ValueError([] if steps else None)
# run
def fails(kind):
    raise kind
def fails_with(kind):
    return lambda: fails(kind)
f([int]); f([fails_with(KeyError)]); f([fails_with(OSError)])
f([fails_with(OSError), int]); f([fails_with(OSError), fails_with(KeyError)]); f([fails_with(OSError), fails_with(OSError)])
