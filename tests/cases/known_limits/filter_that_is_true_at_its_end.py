# refused 3.8 3.9 3.10 3.11 3.12 3.13 3.14: NO_SOURCE_FORM
def g(f, b):
    return [e for e in f if b or ...]
