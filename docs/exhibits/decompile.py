import depyf
from depyf.decompiler import decompile_code


def first_even(numbers, default=None):
    for number in numbers:
        if number % 2 == 0:
            return number
    else:
        print("none")
    return default


print(depyf.decompile(first_even))
print(decompile_code(first_even.__code__).certificate)
