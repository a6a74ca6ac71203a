def f(text):
    if (n := len(text)) > 3 or (first := text[:1]) == "a":
        return n
    while (n := n - 1) > 0:
        print(n, first)
    return [last := c for c in text], last if text else None
# run
f("abcd"); f("a"); f("xyz"); f("")
