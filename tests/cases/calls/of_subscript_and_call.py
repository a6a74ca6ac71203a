def f(table):
    return table["f"](1), table["g"]()(2), (lambda x: x)(3)
# run
f({"f": str, "g": lambda: int})
