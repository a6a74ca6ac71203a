class C:
    items = [1, 2, 3]
    doubled = [item * 2 for item in items]
    by_key = {item: -item for item in items}
    total = sum(item for item in items)
# run
C.doubled; C.by_key; C.total
