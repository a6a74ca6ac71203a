"""f-strings that no text of an f-string says, as the formatting that the compiler makes an f-string of.

    JoinedStr([FormattedValue("\\n", "r"), Constant("!")])   =>   "%r!" % ("\\n",)

Before Python 3.12 no field of an f-string holds a backslash; since 3.11 the compiler turns a literal with a
tuple behind ``%`` into an f-string (Python/ast_opt.c, optimize_format).
"""

from __future__ import annotations

import ast
from typing import List

from depyf.decompiler.emit import EmitError, emit
from depyf.decompiler.lift.expressions import LOAD
from depyf.decompiler.versions import FIELDS_HOLD_ANY_TEXT, FORMATTING_IS_FOLDED


def printable_string(node: ast.JoinedStr) -> ast.expr:
    """``node``, or what compiles to the same where ``node`` cannot be printed and that can."""
    if FIELDS_HOLD_ANY_TEXT or not FORMATTING_IS_FOLDED:
        return node
    try:
        emit(ast.Expr(node))
    except EmitError:
        return _formatting(node)
    return node


def _formatting(node: ast.JoinedStr) -> ast.expr:
    text = ""
    values: List[ast.expr] = []
    for part in node.values:
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            text += part.value.replace("%", "%%")
        elif isinstance(part, ast.FormattedValue) and part.conversion != -1 and part.format_spec is None:
            text += f"%{chr(part.conversion)}"
            values.append(part.value)
        else:
            return node
    return ast.BinOp(ast.Constant(text), ast.Mod(), ast.Tuple(values, LOAD))
