"""Values of ``ast.Constant``: text that the compiler folds back to that very constant.

-0.0           =>  -0.0                 the compiler folds the minus
float("inf")   =>  1e309                the literal overflows
float("nan")   =>  1e309 - 1e309        or its negation, whichever has the sign
complex(1, 2)  =>  1 + 2j
(1, (2, "a"))  =>  1, (2, "a")
"""

from __future__ import annotations

import ast
import math
from typing import Any, Callable, Dict, Iterator, Tuple

from depyf.decompiler.emit.pieces import ATOM, FACTOR, SUM, EmitError, Inline, Quoted, tuple_of

# Users may limit decimal text to 640 digits (sys.int_info.str_digits_check_threshold); hexadecimal has no limit.
_DECIMAL_BITS = 2048


def constant(node: ast.Constant) -> Inline:
    """The display of a constant.

    Raises:
        EmitError: no literals make this value (frozensets, code objects, whatever Dynamo puts in ``co_consts``).
    """
    printer = _PRINTERS.get(type(node.value))
    if printer is None:
        raise EmitError(f"Constant: no literal makes a {type(node.value).__name__}")
    return printer(node)


def is_int(node: ast.AST) -> bool:
    """Whether a node prints as decimal digits, which a dot would continue."""
    return isinstance(node, ast.Constant) and type(node.value) is int


def _quoted(node: ast.Constant) -> Inline:
    return ATOM, [Quoted(node)]


def _plain(node: ast.Constant) -> Inline:
    return ATOM, ["..." if node.value is Ellipsis else repr(node.value)]


def _int(node: ast.Constant) -> Inline:
    value: Any = node.value
    text = repr(value) if value.bit_length() <= _DECIMAL_BITS else hex(value)
    return FACTOR if value < 0 else ATOM, [text]


def _float(node: ast.Constant) -> Inline:
    value: Any = node.value
    return next((level, [text]) for result, level, text in _float_forms(value) if _same_float(result, value))


def _complex(node: ast.Constant) -> Inline:
    value: Any = node.value
    for result, level, text in _complex_forms(value):
        if _same_float(result.real, value.real) and _same_float(result.imag, value.imag):
            return level, [text]
    raise EmitError(f"Constant: no sum of literals makes the complex {value!r}")


def _tuple(node: ast.Constant) -> Inline:
    items: Any = node.value
    return tuple_of([ast.Constant(value=item, kind=None) for item in items])


_PRINTERS: Dict[type, Callable[[ast.Constant], Inline]] = {
    type(None): _plain,
    type(Ellipsis): _plain,
    bool: _plain,
    int: _int,
    float: _float,
    complex: _complex,
    str: _quoted,
    bytes: _quoted,
    tuple: _tuple,
}


def _same_float(left: float, right: float) -> bool:
    """Equality that tells the signs of zeros and of NaNs apart."""
    same = left == right or (math.isnan(left) and math.isnan(right))
    return same and math.copysign(1.0, left) == math.copysign(1.0, right)


def _float_forms(value: float) -> Iterator[Tuple[float, int, str]]:
    """Candidates: what the text evaluates to on this processor, its level, the text."""
    if math.isnan(value):
        yield math.inf - math.inf, SUM, "1e309 - 1e309"
        yield -(math.inf - math.inf), FACTOR, "-(1e309 - 1e309)"
    else:
        yield value, FACTOR if math.copysign(1.0, value) < 0 else ATOM, repr(value).replace("inf", "1e309")


def _complex_forms(value: complex) -> Iterator[Tuple[complex, int, str]]:
    """Candidates: results are computed, since signs of zeros in mixed arithmetic changed in Python 3.14."""
    imaginary = complex(0.0, abs(value.imag))
    if math.isnan(value.imag):
        imaginary, imaginary_text = complex(0.0, math.inf) - complex(0.0, math.inf), "(1e309j - 1e309j)"
    else:
        imaginary_text = f"{_magnitude(imaginary.imag)}j"
    yield imaginary, ATOM, imaginary_text
    yield -imaginary, FACTOR, "-" + imaginary_text
    if math.isnan(value.real):
        real, real_text = math.inf - math.inf, "(1e309 - 1e309)"
    else:
        real, real_text = abs(value.real), _magnitude(value.real)
    for part, part_text in ((real, real_text), (-real, "-" + real_text)):
        yield part + imaginary, SUM, f"{part_text} + {imaginary_text}"
        yield part - imaginary, SUM, f"{part_text} - {imaginary_text}"
        yield -(part + imaginary), FACTOR, f"-({part_text} + {imaginary_text})"
        yield -(part - imaginary), FACTOR, f"-({part_text} - {imaginary_text})"


def _magnitude(value: float) -> str:
    """A float without its sign, as short as a reader would write it beside an imaginary part."""
    text = repr(abs(value)).replace("inf", "1e309")
    return text[:-2] if text.endswith(".0") and value else text
