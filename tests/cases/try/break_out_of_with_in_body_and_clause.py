from contextlib import suppress
def f(numbers, found):
    while numbers:
        try:
            with suppress(IndexError):
                try:
                    with suppress(ValueError):
                        if found(numbers.pop()):
                            break
                except OSError:
                    if numbers:
                        break
        except KeyError:
            pass
        print(numbers)
    else:
        print("all")
    return numbers
# run
def found(number):
    if isinstance(number, type):
        raise number
    return number == 1
f([1, 2], found); f([2, 1, 2], found); f([2], found)
f([1, OSError], found); f([OSError], found)
f([1, 2, KeyError], found); f([1, IndexError], found); f([2, ValueError], found); f([TypeError], found)
