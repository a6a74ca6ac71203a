# ruff: noqa
"""Random programs: statements that Dynamo captures, replays or breaks at, in random order and nesting; the seed is the name.

``SYMBOLIC_PROGRAMS=first:last`` in the environment chooses other seeds.
"""

import os
import random
import textwrap

import torch

PROGRAMS = []

STATEMENTS = """
{t} = {t} + {n}
{t} = {t} * {u} - {v}
{t} = torch.relu({t}).sin() + {u}
{l}.append({t})
{l}.append(({n}, {t}, [{u}]))
{l}[{n} % max(len({l}), 1):] = [{t}, {u}]
{l}.insert(0, {n})
{l} = [*{l}, {t}, *reversed({l})]
{l} = {l}[1:]
{l} += [{n}, {t}]
{l}, {m} = {m}, {l}
{d}["{k}"] = {t}
{d}["{k}"] = {l}
{d}[{n}] = ({t}, {d}.get({n}))
{d} = {{**{d}, "{k}": {u}, "last": {n}}}
{d}.pop("{k}", None)
{d} = {{key: value for key, value in {d}.items() if key != "{k}"}}
o.{k} = {t}
o.{k} = {l}
o.count = o.count + {n}
o.items.append({n})
{t} = getattr(o, "{k}", {u}) if isinstance(getattr(o, "{k}", None), torch.Tensor) else {t}
{t}, {u} = {u}, {t}
{t} = ({t}, {u}, {v})[{n} % 3]
{t} = {u} if {n} > 2 else {v}
counter += {n}
cell = {t} * {n}
cell = cell + {t}
{t} = helper({t}, {u}, scale={n})
{t} = method(o, {t})
{l} = list(map(lambda z: z, {l}))
{f} = lambda z, w={n}: z + {t} * w
{t} = {f}({u})
{f} = make({t}, {n})
{f} = partial(helper, y={t}, scale={n})
{t} = sum([x for x in {l} if isinstance(x, torch.Tensor) and x.shape == (2,)], {t})
{t} = {t}.clone(); {t}.add_({n})
{t} = {t}.view(-1).reshape(2)
{t}, *rest = [{t}, {u}, {n}]; {l} = rest
_, {t} = breaking({t}, {u})
torch._dynamo.graph_break()
torch._dynamo.graph_break()
print({n}, len({l}), sorted(map(str, {d})))
{t} = {t} * {u}.sum().item()
{l}.append({t}.max().item())
assert {t}.shape[0] == 2, "shape"
""".strip().split("\n")

BLOCKS = """
if {n} > 2: | else:
if {t}.sum() > {n}: | else:
if len({l}) > {n}:
for i in range({n} % 3): | {t} = {t} + i
for x in list({l})[:2]: | {l}.append(x)
with torch.no_grad():
with torch.enable_grad():
with torch.set_grad_enabled({n} > 2):
try: | except ValueError: | finally:
while len({l}) > 3: | {l}.pop()
def local(z, *args, **kwargs): | nonlocal cell | return z + cell
""".strip().split("\n")

HEADER = """
import functools
import torch
from functools import partial

counter = 0

class Thing:
    def __init__(self):
        self.count, self.items = 0, []

    def method(self, x):
        self.count += 1
        return x + self.count

def helper(x, y, *rest, scale=1):
    return x * scale + y

def breaking(x, y):
    z = x + y
    torch._dynamo.graph_break()
    return z - x, z * 2

def method(o, x):
    return o.method(x)

def make(x, n):
    y = x * n
    def made(z):
        return y + z + n
    return made

def program(compile):
    global counter
    counter = 0
    cell = torch.ones(2)
    o = Thing()
    first, second, third = [1, torch.ones(2)], {"a": 1, 2: [3]}, [2]

    @compile
    def run(a, b, c, l, m, d, o):
        nonlocal cell
        global counter
        f = abs
"""

FOOTER = """
        return a, b, c, l, m, d

    torch.manual_seed(0)
    result = run(torch.ones(2), torch.full((2,), 2.0), torch.full((2,), 0.5), first, third, second, o)
    return result, cell, counter, o.count, len(o.items), sorted(vars(o)), first, second, third
"""


def filled(choose, text):
    return text.format(
        t=choose("abc"), u=choose("abc"), v=choose("abc"), n=choose("12345"), l=choose("lm"), m=choose("lm"), d="d",
        k=choose(["k", "a", "kind"]), f="f",
    )  # fmt: skip


def body(generator, depth, size):
    lines = []
    for _ in range(size):
        if depth < 3 and generator.random() < 0.16:
            head, *more = [part.strip() for part in filled(generator.choice, generator.choice(BLOCKS)).split("|")]
            lines.append(head)
            lines += ["    " + line for line in body(generator, depth + 1, generator.randrange(1, 4))]
            for part in more:
                if part.endswith(":"):
                    lines.append(part)
                    lines += ["    " + line for line in body(generator, depth + 1, generator.randrange(1, 3))]
                else:
                    lines.append("    " + part)
        else:
            lines += filled(generator.choice, generator.choice(STATEMENTS)).split("; ")
    return lines


def source(seed):
    generator = random.Random(seed)
    lines = body(generator, 0, generator.randrange(3, 14))
    text = "\n".join(lines)
    if "nonlocal cell\n" in text:
        text = text.replace("nonlocal cell\n", "pass\n")
    return HEADER + textwrap.indent(text, " " * 8) + FOOTER


def random_program(seed):
    def run(compile):
        namespace = {"__name__": f"random_{seed}"}
        exec(builtin_compile(source(seed), f"random_{seed}.py", "exec"), namespace)
        return namespace["program"](compile)

    run.__name__ = f"random_{seed}"
    return run


builtin_compile = compile
first, last = map(int, os.environ.get("SYMBOLIC_PROGRAMS", "0:30").split(":"))
for number in range(first, last):
    try:
        builtin_compile(source(number), "random.py", "exec")
    except SyntaxError:
        continue
    PROGRAMS.append(random_program(number))
assert torch
