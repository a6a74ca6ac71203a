# since: 3.12
type Pair[T] = tuple[T, T]
# run
Pair.__value__; Pair[int]; Pair.__type_params__
