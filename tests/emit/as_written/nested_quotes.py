# since: 3.12
f"{f'{f"{f'{f"{a}"}'}"}'}"
f"{'\n'.join(a)}"
f"{a!r:{b:{c}}}"
f"{'it\'s "both"'}"
