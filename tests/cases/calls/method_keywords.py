def f(text):
    return text.encode(encoding="ascii", errors="replace"), text.split(sep=",", maxsplit=1)
# run
f("a,b,c")
