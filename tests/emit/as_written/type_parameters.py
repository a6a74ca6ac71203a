# since: 3.12
type A = int
type B[T, *Ts, **P] = (T, Ts, P)


def f[T: (int, str)](a: T) -> T:
    pass


class C[T: int](A):
    pass
