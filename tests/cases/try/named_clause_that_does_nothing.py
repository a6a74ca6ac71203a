def returns(number):
    try:
        return 1 / number
    except ZeroDivisionError as error:
        pass


def repeats(numbers):
    for number in numbers:
        try:
            number = 1 / number
        except ZeroDivisionError as error:
            continue
    return number


def falls(numbers):
    for number in numbers:
        try:
            number = 1 / number
        except ZeroDivisionError as error:
            pass
    return number
# run
returns(0); returns(1); repeats([1, 0]); repeats([0, 1]); falls([1, 0]); falls([0, 1])
