def f(tokens):
    depth = 0
    result = []
    while tokens:
        token = tokens.pop(0)
        if token == "(":
            depth += 1
        elif token == ")":
            depth -= 1
            if depth < 0:
                raise ValueError("unbalanced")
        elif not depth:
            continue
        else:
            result.append(token)
    if depth:
        return None
    return result
# run
f(list("a(b)c")); f(list("(")); f(list(")"))
