"""What compiling forgets, as written down: each pair reads the same, near misses do not, and the document is fresh."""

from __future__ import annotations

from pathlib import Path

import pytest
from normalisations import reads_as, written_list

SAME = [
    ("if not (a or b): c()", "if not a and not b: c()"),
    ("if not (a in b): c()", "if a not in b: c()"),
    ("x = [y for y in z if a if not (b or c)]", "x = [y for y in z if a and not b and not c]"),
    ("x = 24 * 60 * 60", "x = 86400"),
    ("x = (1, 2)[1]", "x = 2"),
    ("[a, b] = c", "a, b = c"),
    ("for x in [a, b]: c(x)", "for x in (a, b): c(x)"),
    ("a in {2, 1}", "a in {1, 2}"),
    ("def f():\n    global a\n    a = 1\n    return None", "def f():\n    global a\n    a = 1"),
    ("import a, b", "import a\nimport b"),
    ("del a, (b, c)", "del a\ndel b\ndel c"),
    ("with a, b: c()", "with a:\n    with b: c()"),
    ("try: a()\nexcept b: c()\nfinally: d()", "try:\n    try: a()\n    except b: c()\nfinally: d()"),
    ("while 1: a()", "while True: a()"),
    ("if a:\n    if b: c()", "if a and b: c()"),
    ("for x in y: z()\nelse: a()", "for x in y: z()\na()"),
    ("def f():\n    if a: return 1\n    else: return 2", "def f():\n    if a: return 1\n    return 2"),
    ("for x in y:\n    if x: continue\n    z()", "for x in y:\n    if not x: z()"),
    ("def f():\n    x: int = 1\n    y: int", "def f():\n    x = 1"),
    ("class C:\n    def f(self): return self.__x", "class C:\n    def f(self): return self._C__x"),
    ("def f():\n    return 1\n    a()", "def f():\n    return 1"),
    ("u'a'", "'a'"),
    (
        "def f():\n    try: a()\n    except b: c()\n    else: d()",
        "def f():\n    try: a()\n    except b:\n        c()\n        return\n    d()",
    ),
]
DIFFERENT = [
    ("if not (a or b): c()", "if not a or not b: c()"),
    ("x = not (a or b)", "x = not a and not b"),
    ("a = b = c", "a = c\nb = c"),
    ("x = [a, b]", "x = (a, b)"),
    ("def f():\n    'text'", "def f():\n    pass"),
    ("for x in y:\n    if x: break\nelse: a()", "for x in y:\n    if x: break\na()"),
    ("while a: b()", "if a: b()"),
    ("x: int = 1", "x = 1"),
    ("if a: b()\nelse: c()", "if not a: c()\nelse: b()"),
    ("try: a()\nexcept b: pass\nelse: c()", "try: a()\nexcept b: pass\nc()"),
    ("def f():\n    if a: return 1\n    b()", "def f():\n    if a: return\n    b()"),
]


@pytest.mark.parametrize(("written", "printed"), SAME)
def test_read_the_same(written: str, printed: str) -> None:
    assert reads_as(written, printed) is None


@pytest.mark.parametrize(("written", "printed"), DIFFERENT)
def test_read_otherwise(written: str, printed: str) -> None:
    assert reads_as(written, printed) is not None


def test_document_is_fresh() -> None:
    root = Path(__file__).resolve().parent.parent
    assert (root / "docs" / "normalisations.md").read_text("utf-8") == written_list()
