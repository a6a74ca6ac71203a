"""Constants that the parser never makes: the compiler folds their text back to the very same value."""

from __future__ import annotations

import ast
import dis
import itertools
import math

import pytest

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.emit import EmitError, emit

FLOATS = [0.0, 1.0, 0.1, 1e16, 5e-324, math.inf, math.nan, math.inf - math.inf]
SIGNED = FLOATS + [-value for value in FLOATS]
COMPLEX = [complex(real, imaginary) for real, imaginary in itertools.product(SIGNED, SIGNED)]
OTHERS = [
    -1,
    10**5000,
    -(10**5000),
    2**2048,
    None,
    True,
    ...,
    "\ud800",
    b"\xff",
    (),
    (-1,),
    (1, (2.0, -0.0, "a", math.nan), -2j),
]


def folded(text: str) -> object:
    """The one constant that the text compiles to."""
    code = compile(text, "constant.py", "eval")
    names = [dis.opname[byte] for byte in code.co_code[::2] if dis.opname[byte] != "RESUME"]
    assert names in (["LOAD_CONST", "RETURN_VALUE"], ["RETURN_CONST"], ["LOAD_SMALL_INT", "RETURN_VALUE"])
    return eval(code)


@pytest.mark.parametrize("value", [*SIGNED, *COMPLEX, *OTHERS], ids=lambda value: type(value).__name__)
def test_constant_is_folded_back(value: object) -> None:
    assert Const(folded(emit(ast.Expression(ast.Constant(value=value, kind=None))))) == Const(value)


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (-1, "(-1).a ** -1"),
        (1, "(1).a ** 1"),
        (math.inf, "1e309.a ** 1e309"),
        (-0.0, "(-0.0).a ** -0.0"),
        (1 + 2j, "(1 + 2j).a ** (1 + 2j)"),
        ((1, 2), "(1, 2).a ** (1, 2)"),
    ],
)
def test_parentheses(value: object, printed: str) -> None:
    constant = ast.Constant(value=value, kind=None)
    operand = ast.Attribute(constant, "a", ast.Load())
    assert emit(ast.BinOp(operand, ast.Pow(), constant)) == printed + "\n"


def test_digits_are_limited_by_no_setting() -> None:
    assert emit(ast.Constant(value=-(2**4096), kind=None)) == hex(-(2**4096)) + "\n"


@pytest.mark.parametrize("value", [frozenset([1]), (1, frozenset()), test_parentheses.__code__, int, object()])
def test_values_without_a_literal_are_refused(value: object) -> None:
    with pytest.raises(EmitError, match="Constant: no literal makes a "):
        emit(ast.Constant(value=value, kind=None))
