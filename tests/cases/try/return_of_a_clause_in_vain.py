def f(a, g):
    try:
        a()
    except:
        return g()
    finally:
        return


def named(a, g):
    for b in a:
        try:
            b()
        except ValueError as e:
            return g(e)
        finally:
            break
    print(a)
# run
f(int, int); f(lambda: int("a"), print)
named([int], print); named([lambda: int("a")], print); named([], print)
