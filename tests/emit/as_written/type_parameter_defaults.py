# since: 3.13
type A[T = int, *Ts = *tuple[int], **P = [int]] = T


def f[T: int = bool](a: T):
    pass
