def g(f, b):
    return [e for e in f if b or ...]
# expect 3.8 3.9 3.10 3.11 3.12 3.13 3.14
def g(f, b):
    return [None if b and False else e for e in f]
