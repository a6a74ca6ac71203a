# since: 3.10
import contextlib
def f(x, log):
    match x:
        case [1, n]:
            for i in range(n):
                if i == 2:
                    break
                log.append(i)
        case [2, n]:
            while n:
                n -= 1
                log.append(n)
        case [3, n]:
            try:
                log.append(1 / n)
            except ZeroDivisionError:
                log.append("zero")
        case [4, n]:
            with contextlib.suppress(ZeroDivisionError):
                log.append(1 / n)
        case [5, n]:
            if n:
                log.append("yes")
            else:
                log.append("no")
    return log
# run
f([1, 4], []); f([2, 2], []); f([3, 0], []); f([4, 0], []); f([5, 1], []); f([6, 1], [])
