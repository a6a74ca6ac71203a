"""The compiler's warnings about a program are not repeated when its printed source is compiled."""

from __future__ import annotations

import warnings

import pytest
from fuzzing import program
from fuzzing.outcomes import compiled, outcomes

from depyf.decompiler import decompile_code
from depyf.decompiler.quiet import compile_quietly

WARNED_ABOUT = [
    "(1, 2)(a)", "(1, 2)[a:b, c]", "True(a)", "None[a]", "...(a)", "1 is a", "'x' is a", "a is not -1", "() is a",
    "{}(a)", "[b for b in a](c)", "[1][a, b]", "{b for b in a}[0]", "(b for b in a)[0]", "(lambda: a)[0]", "f'{a}'(b)",
    "2.5[a]", "(-1)[a]", "(1 + 2j)(a)", "assert (a, 'b')", "a is -(1 + 2j)", "'a'['b']",
]  # fmt: skip


@pytest.mark.parametrize("text", WARNED_ABOUT)
def test_nothing_is_said(text: str) -> None:
    module = compiled(text)
    assert module is not None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compile_quietly(text, "program.py")
        decompile_code(module)


@pytest.mark.parametrize("seed", range(20))
def test_nothing_is_said_about_random_programs(seed: int) -> None:
    module = compiled(program(seed))
    if module is not None:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            outcomes(module)
        assert said == []


@pytest.mark.parametrize("text", ["a(b)(c)[d]", "a is b", "a is None", "try: a\nfinally: b", "assert (a)"])
def test_filters_are_left_alone_where_there_is_nothing_to_say(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def unwanted() -> None:
        raise AssertionError("the filters of warnings were touched")

    monkeypatch.setattr(warnings, "simplefilter", unwanted)
    compile_quietly(text, "program.py")
