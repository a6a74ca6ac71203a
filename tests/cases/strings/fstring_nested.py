def f(a):
    return f"{f'{a}'} {f'<{a:{5}}>'}"
# run
f(1)
