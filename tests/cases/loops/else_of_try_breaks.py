from contextlib import suppress


def in_with(read):
    while True:
        with suppress(KeyError):
            try:
                read()
            except ValueError:
                print("again")
            else:
                break
            finally:
                print("read")
        print("next")
    print("after")


def alone(read):
    while True:
        try:
            read()
        except ValueError:
            print("again")
        else:
            break
        print("next")
    print("after")


def falls_out_in_with(reads):
    for read in reads:
        with suppress(KeyError):
            try:
                read()
            except ValueError as error:
                print("again")
            else:
                print("read")
# run
in_with(int); in_with(iter([lambda: 0, int]).__next__); alone(int); alone(1)
falls_out_in_with([int, lambda: int("x"), lambda: {}[1]])
# expect
from contextlib import suppress


def in_with(read):
    while True:
        with suppress(KeyError):
            try:
                read()
            except ValueError:
                print("again")
            else:
                break
            finally:
                print("read")
        print("next")
    print("after")


def alone(read):
    while True:
        try:
            read()
            break
        except ValueError:
            print("again")
        print("next")
    print("after")


def falls_out_in_with(reads):
    for read in reads:
        with suppress(KeyError):
            try:
                read()
            except ValueError as error:
                print("again")
            else:
                print("read")
