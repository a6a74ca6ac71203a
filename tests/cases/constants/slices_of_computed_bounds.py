def f(text):
    return text[7:7 + 8], text[500 - 150:], text[:2 * 3], text[1:5:1 + 1]
def g(text):
    text[1 + 1:4] = "ab"
    del text[:1 + 1]
# run
f("abcdefghijklmnopq"); g(list("abcdefgh"))
