def f(g, x, more):
    g(**{**more, "a": x})
    g(x, **{**more, "a": x}, c=x)
    g(x, b=x, **{**more, "a": x})
    return {"b": x, **{**more, "a": x}, "c": x}
# run
f(dict, [], {}); f(dict, [], {"d": 1}); f(dict, [], {"b": 1}); f(dict, [], {"a": 1})
