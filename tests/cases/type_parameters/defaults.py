# since: 3.13
class Box[T = int, *Ts = *tuple[int, str], **P = [int, str]]:
    pass
def f[T: int = bool](x: T):
    return x
type Alias[T = str] = list[T]
# run
[p.__default__ for p in Box.__type_params__]; f.__type_params__[0].__default__; Alias.__type_params__[0].__default__
