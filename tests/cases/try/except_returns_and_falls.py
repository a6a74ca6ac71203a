def f(text):
    try:
        value = int(text)
    except ValueError:
        if text:
            return "text"
        value = 0
    except TypeError:
        value = -1
    print(value)
    return value
# run
f("1"); f("x"); f(""); f(None)
