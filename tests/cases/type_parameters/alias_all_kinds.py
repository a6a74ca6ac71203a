# since: 3.12
from typing import Callable
type Call[T, *Ts, **P] = tuple[Callable[P, T], *Ts]
# run
Call.__value__
