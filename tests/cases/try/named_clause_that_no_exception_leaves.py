def f(a):
    try:
        if a:
            try:
                a()
            finally:
                e = a
                return e
    except KeyError as e:
        try:
            raise
        finally:
            return "clause"
    finally:
        print(a)
    a = a
# run
f(0); f(int); f(lambda: {}[0])
# expect 3.9 3.10 3.11 3.12 3.13 3.14
def f(a):
    try:
        if a:
            try:
                a()
            finally:
                e = a
                return e
    except KeyError as e:
        try:
            raise
        except:
            return "clause"
    finally:
        print(a)
    a = a
