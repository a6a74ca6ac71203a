# since: 3.12
def first[T](items: list[T]) -> T:
    return items[0]
# run
first([1]); first.__type_params__; first.__annotations__
