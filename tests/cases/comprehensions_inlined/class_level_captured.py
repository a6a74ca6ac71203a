class C:
    calls = [lambda: x for x in (1, 2)]
    found = [call() for call in calls]
# run
C.found
