"""Equal programs in other layouts are accepted, programs that differ in one thing are not."""

from __future__ import annotations

import pytest
from building import module

from depyf.decompiler.verify import Certificate, Mismatch, verify

EQUAL = {
    "line breaks": ("x = [a, b]", "x = [\n  a,\n  b,\n]"),
    "continue at the end of a loop": (
        "for x in y:\n    if x: a()\n    else: b()",
        "for x in y:\n    if x:\n        a()\n        continue\n    b()",
    ),
    "elif as nested if": ("if a: b()\nelif c: d()", "if a:\n    b()\nelse:\n    if c:\n        d()"),
    "early return": (
        "def f(a):\n    if a:\n        return 1\n    else:\n        return 2",
        "def f(a):\n    if a:\n        return 1\n    return 2",
    ),
    "return at the end": ("def f(a):\n    a()\n    return None", "def f(a):\n    a()"),
    "nested with": ("with a, b: c()", "with a:\n    with b:\n        c()"),
    "order of a constant set that is searched": ("a in {0, 8}", "a in {8, 0}"),
    "order of a constant set of strings": ("for x in {'a', 'b'}: a()", "for x in {'b', 'a'}: a()"),
    "not in": ("if not (a in b): c()", "if a not in b: c()"),
    "negated arms": ("if not a: b()\nelse: c()", "if a: c()\nelse: b()"),
    "while True with a break": ("while a: b()", "while True:\n    if not a: break\n    b()"),
    "duplicated tail": ("if a: b()\nc()", "if a:\n    b()\n    c()\nelse:\n    c()"),
    "else after an endless arm": ("if a: raise b\nelse: c()", "if a: raise b\nc()"),
    "body that cannot raise": ("try: pass\nfinally: a()", "a()"),
    "quiet statement out of try": (
        "def f():\n    try:\n        x = 1\n        a(x)\n    except E: pass",
        "def f():\n    x = 1\n    try:\n        a(x)\n    except E: pass",
    ),
}

DIFFERENT = {
    "constant": ("x = 1", "x = 2"),
    "type of a constant": ("x = 1", "x = True"),
    "float for int": ("x = 1", "x = 1.0"),
    "negative zero": ("x = 0.0", "x = -0.0"),
    "zero in a complex": ("x = 0j", "x = -0j"),
    "bytes for str": ("x = 'a'", "x = b'a'"),
    "type in a tuple": ("x = (1, 2)", "x = (True, 2)"),
    "type in a nested tuple": ("x = (1, (2, 0.0))", "x = (1, (2, -0.0))"),
    "type in a frozenset": ("a in {1, 2}", "a in {1.0, 2}"),
    "order of a constant set": ("for x in {0, 8}: a()", "for x in {8, 0}: a()"),
    "docstring": ("def f():\n    'a'", "def f():\n    'b'"),
    "no docstring": ("def f():\n    'a'", "def f():\n    0"),
    "default": ("def f(a=1): pass", "def f(a=2): pass"),
    "keyword default": ("def f(*, a=1): pass", "def f(*, a=2): pass"),
    "parameter name": ("def f(a): pass", "def f(b): pass"),
    "parameter order": ("def f(a, b): pass", "def f(b, a): pass"),
    "positional-only": ("def f(a, /): pass", "def f(a): pass"),
    "keyword-only": ("def f(*, a): pass", "def f(a): pass"),
    "varargs": ("def f(*a): pass", "def f(a): pass"),
    "kwargs for args": ("def f(**a): pass", "def f(*a): pass"),
    "annotation": ("def f(a: int): pass", "def f(a: str): pass"),
    "function name": ("def f(): pass", "f = lambda: None"),
    "order in a call": ("f(a, b)", "f(b, a)"),
    "keyword": ("f(a=1)", "f(b=1)"),
    "keyword as argument": ("f(a=1)", "f(1)"),
    "star": ("f(*a)", "f(a)"),
    "global": ("def f():\n    global x\n    x = 1", "def f():\n    x = 1"),
    "nonlocal": (
        "def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2\n    return x",
        "def f():\n    x = 1\n    def g():\n        x = 2\n    return x",
    ),
    "generator": ("def f():\n    if 0: yield", "def f(): pass"),
    "async": ("async def f(): pass", "def f(): pass"),
    "yield from": ("def f(a): yield a", "def f(a): yield from a"),
    "decorator": ("@a\ndef f(): pass", "def f(): pass"),
    "into try": ("try: a()\nexcept E: b()\nc()", "try:\n    a()\n    c()\nexcept E: b()"),
    "into else": ("try: a()\nexcept E: b()\nelse: c()", "try:\n    a()\n    c()\nexcept E: b()"),
    "into except": ("try: a()\nexcept E: b()\nc()", "try:\n    a()\nexcept E:\n    b()\n    c()\nelse:\n    c()"),
    "into with": ("with a: b()\nc()", "with a:\n    b()\n    c()"),
    "finally for except": ("try: a()\nfinally: b()", "try: a()\nexcept: b()"),
    "order of handlers": (
        "try: a()\nexcept E: b()\nexcept F: c()",
        "try: a()\nexcept F: c()\nexcept E: b()",
    ),
    "bound exception": ("try: a()\nexcept E as e: b()", "try: a()\nexcept E: b()"),
    "break for continue": ("for x in y:\n    if x: break\n    a()", "for x in y:\n    if x: continue\n    a()"),
    "else of a loop": (
        "for x in y:\n    if x: break\nelse: a()",
        "for x in y:\n    if x: break\na()",
    ),
    "is for ==": ("a is b", "a == b"),
    "chain for and": ("a() < b() < c()", "a() < b() and b() < c()"),
    "augmented": ("a += b", "a = a + b"),
    "import level": ("from . import a", "from .. import a"),
    "import name": ("import a.b as c", "import a.d as c"),
    "import from": ("import a.b as b", "from a import b"),
    "comprehension condition": ("[x for x in y if x]", "[x for x in y]"),
    "list for generator": ("f([x for x in y])", "f(x for x in y)"),
    "exchanged arms": ("if a: b()\nelse: c()", "if a: c()\nelse: b()"),
    "order of operands": ("x = a and b", "x = b and a"),
    "future annotations": ("def f(): pass", "from __future__ import annotations\ndef f(): pass"),
}


@pytest.mark.parametrize("name", EQUAL)
def test_equal(name: str) -> None:
    verdict = verify(*(module(text) for text in EQUAL[name]))
    assert isinstance(verdict, Certificate), verdict


@pytest.mark.parametrize("name", DIFFERENT)
def test_different(name: str) -> None:
    original, candidate = (module(text) for text in DIFFERENT[name])
    assert isinstance(verify(original, candidate), Mismatch)
    assert isinstance(verify(candidate, original), Mismatch)
