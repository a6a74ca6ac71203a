def raises(value):
    try:
        return value()
    finally:
        raise KeyError


def returns(value):
    try:
        return value()
    finally:
        return "swallowed"


def breaks(values):
    for value in values:
        try:
            return value()
        finally:
            break
    return "broken"


def returns_after_loop(values):
    try:
        for value in values:
            value()
    finally:
        return "swallowed"
# run
raises(int); raises(1)
returns(int); returns(1)
breaks([int]); breaks([1]); breaks([])
returns_after_loop([int]); returns_after_loop([1])
# expect 3.9 3.10 3.11 3.12 3.13 3.14
def raises(value):
    try:
        return value()
    finally:
        raise KeyError


def returns(value):
    try:
        value()
    except:
        pass
    return "swallowed"


def breaks(values):
    for value in values:
        try:
            value()
        except:
            break
        else:
            break
    return "broken"


def returns_after_loop(values):
    try:
        for value in values:
            value()
    except:
        pass
    return "swallowed"
