"""What a verification says, and how it reads."""

from __future__ import annotations

from building import module

from depyf.decompiler.verify import Certificate, Mismatch, verify
from depyf.decompiler.verify.verdict import BISIMILAR, EXACT


def test_identical_code_is_exact() -> None:
    text = "def f(a):\n    'doc'\n    return [a, 1.5, -0.0, (1, b'x')]"
    verdict = verify(module(text), module("\n\n# elsewhere\n" + text))
    assert isinstance(verdict, Certificate)
    assert verdict.level in (EXACT, BISIMILAR)
    assert verify(module(text), module(text)) == Certificate(EXACT)


def test_another_layout_is_bisimilar() -> None:
    verdict = verify(module("while a: b()"), module("while True:\n    if not a: break\n    b()"))
    assert isinstance(verdict, Certificate)
    assert verdict.level == BISIMILAR
    assert verdict.pairs > 4
    assert str(verdict) == "bisimilar"


def test_axioms_are_said() -> None:
    verdict = Certificate(BISIMILAR, frozenset(["known truth"]), ("the sky is blue",))
    assert str(verdict) == "bisimilar (known truth, assuming the sky is blue)"


def test_a_mismatch_shows_where() -> None:
    original = module("def f(a):\n    def g(b):\n        a = 1\n        return a + b\n    return g")
    candidate = module("def f(a):\n    def g(b):\n        a = 1\n        return a - b\n    return g")
    verdict = verify(original, candidate)
    assert isinstance(verdict, Mismatch)
    assert verdict.path == ("<module>", "f", "g")
    lines = str(verdict).splitlines()
    assert lines[0] == "<module>.f.g: operand: expected '+', found '-'"
    expected, found = (at for at, line in enumerate(lines) if line.lstrip().startswith(("expected", "found")))
    assert "line 4" in lines[expected]
    assert [line for line in lines[expected:found] if "->" in line[:4]] == [
        line for line in lines[expected:found] if "BINARY_OP +" in line
    ]
    assert [line for line in lines[found:] if "->" in line[:4]] == [
        line for line in lines[found:] if "BINARY_OP -" in line
    ]


def test_a_mismatch_of_the_whole_code_has_no_place() -> None:
    verdict = verify(module("def f(a): pass"), module("def f(b): pass"))
    assert isinstance(verdict, Mismatch)
    assert (verdict.expected, verdict.found) == (None, None)
    assert str(verdict) == "<module>.f: parameters: expected ('a',), found ('b',)"
