# since: 3.12
type Both[T: int, U: (str, bytes)] = dict[T, U]
# run
Both.__value__; [p.__bound__ for p in Both.__type_params__]; Both.__type_params__[1].__constraints__
