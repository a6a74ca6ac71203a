def f(numbers):
    while True:
        try:
            number = 1 / numbers.pop()
        except ZeroDivisionError as error:
            if numbers:
                continue
        break
    return numbers


def g(path):
    try:
        return path()
    except ValueError as error:
        try:
            return path(1)
        except TypeError:
            pass


def h(numbers):
    try:
        yield 0
    finally:
        while True:
            number = numbers.pop()
            if number:
                break
# run
f([1]); f([0]); f([1, 0]); g(int); g(lambda: int("x")); list(h([1])); list(h([1, 0])); list(h([]))
# expect 3.9 3.10 3.11 3.12 3.13 3.14
def f(numbers):
    while True:
        try:
            number = 1 / numbers.pop()
            break
        except ZeroDivisionError as error:
            if not numbers:
                break
    return numbers


def g(path):
    try:
        return path()
    except ValueError as error:
        try:
            return path(1)
        except TypeError:
            pass


def h(numbers):
    try:
        yield 0
    finally:
        while True:
            number = numbers.pop()
            if number:
                break
