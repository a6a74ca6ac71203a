# since: 3.11
class C:
    try:
        a = int("x")
    except* ValueError as e:
        b = "value"
    else:
        b = "else"
# run
C.b; hasattr(C, "e")
