def f(a, b):
    try:
        print(a)
        try:
            a()
            if b:
                raise
            elif a:
                return a
        finally:
            while True:
                print(b)
    except ValueError:
        print(a)


def jumps(a, b):
    try:
        b = a()
    finally:
        try:
            if b:
                pass
            else:
                while a > 1:
                    return
                else:
                    print(b)
            a.x = b
        finally:
            raise KeyError(a)
# run
jumps(0, 0); jumps(int, 0); jumps(int, 1)
# expect 3.8
def f(a, b):
    try:
        print(a)
        try:
            a()
            if b:
                raise
            if a:
                return a
        finally:
            while True:
                print(b)
    except ValueError:
        print(a)


def jumps(a, b):
    try:
        b = a()
    finally:
        try:
            if not b:
                if not a > 1:
                    print(b)
                else:
                    return
            a.x = b
        finally:
            raise KeyError(a)
# expect 3.9 3.10 3.11 3.12 3.13 3.14
def f(a, b):
    try:
        print(a)
        try:
            a()
            if b:
                raise
            if a:
                return a
        finally:
            while True:
                print(b)
    except ValueError:
        print(a)


def jumps(a, b):
    try:
        b = a()
    finally:
        try:
            if not b:
                if a > 1:
                    return
                print(b)
            a.x = b
        finally:
            raise KeyError(a)
