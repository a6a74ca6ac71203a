def f(tokens):
    while True:
        found = []
        while True:
            token = next(tokens)
            if token == "end":
                print(found)
                break
            elif token == "next":
                found.append(token)
            else:
                raise ValueError(token)
# run
f(iter(["next", "end", "next", "end", "other"])); f(iter(["next", "next", "next", "end"]))
# expect 3.8 3.9 3.10 3.11 3.12 3.13 3.14
def f(tokens):
    while True:
        found = []
        while True:
            token = next(tokens)
            if token == "end":
                break
            if token == "next":
                found.append(token)
            else:
                raise ValueError(token)
        print(found)
