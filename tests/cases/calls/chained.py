def f(text):
    return (
        text.strip()
        .replace("a", "b")
        .split(",")[0]
        .center(9, "*")
        .encode()
        .decode("ascii")
    )
# run
f(" a,b ")
