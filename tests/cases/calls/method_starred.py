def f(text, args, kwargs):
    return text.split(*args), text.encode(**kwargs)
# run
f("a b", [" "], {"encoding": "utf-8"})
