import contextlib
@contextlib.contextmanager
def f(log):
    log.append("enter")
    try:
        yield log
    except ValueError:
        log.append("value")
    else:
        log.append("fine")
    finally:
        log.append("exit")
def g(error):
    log = []
    with f(log):
        if error:
            raise error
    return log
# run
g(None); g(ValueError()); g(TypeError())
