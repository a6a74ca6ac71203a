def f(text):
    return text.upper().lower().split(","), ",".join(text), text.replace("a", "b", 1)
# run
f("a,b")
