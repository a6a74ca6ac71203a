class C:
    items = []
    for i in range(3):
        items.append(i)
    if items:
        first = items[0]
    else:
        first = None
    try:
        del i
    except NameError:
        pass
    while items:
        last = items.pop()
# run
C.first; C.last; hasattr(C, "i")
