"""In-place and formatting operators, and displays that are built in steps.

BUILD_LIST 0; LOAD_FAST a; LIST_EXTEND 1        =>        [*a]
"""

from __future__ import annotations

import ast
import re
from typing import Union, cast

from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.lift.expressions import BINARY, LOAD, names_keywords
from depyf.decompiler.lift.machine import Machine, is_constant, operation
from depyf.decompiler.lift.values import (
    Append,
    Cell,
    Cells,
    Inplace,
    Iter,
)
from depyf.decompiler.refusals import STACK_SHAPE
from depyf.decompiler.versions import FORMATTING_IS_FOLDED


@operation("BINARY_OP")
def _binary_op(machine: Machine, node: Node) -> None:
    left, right = machine.operands(2)
    symbol = cast(str, node.arg)
    if symbol == "%" and FORMATTING_IS_FOLDED and _would_be_folded(left, right):
        # The compiler makes an f-string of a literal and a tuple, but not of an f-string without fields.
        left = ast.JoinedStr([left])
    if symbol in BINARY:
        machine.push(ast.BinOp(left, BINARY[symbol](), right))
    else:
        machine.push(Inplace(left, BINARY[symbol[:-1]](), right))


_FOLDED_FIELD = re.compile(r"%%|%-?\d{0,3}(?:\.\d{1,3})?([sra])")


def _would_be_folded(left: ast.expr, right: ast.expr) -> bool:
    """Whether ``left % right`` is what the compiler turns into an f-string (Python/ast_opt.c, optimize_format)."""
    if not isinstance(left, ast.Constant) or not isinstance(left.value, str) or not isinstance(right, ast.Tuple):
        return False
    fields = [found.group(1) for found in _FOLDED_FIELD.finditer(left.value)]
    plain = "%" not in _FOLDED_FIELD.sub("", left.value)
    starred = any(isinstance(element, ast.Starred) for element in right.elts)
    return plain and not starred and len([field for field in fields if field]) == len(right.elts)


@operation("BUILD_TUPLE")
def _build_tuple(machine: Machine, node: Node) -> None:
    count = cast(int, node.arg)
    values = machine.stack[-count:] if count else []
    if values and all(isinstance(value, Cell) for value in values):
        del machine.stack[-count:]
        machine.push(Cells(tuple(cast(Cell, value).name for value in values)))
    else:
        machine.push(ast.Tuple(machine.operands(count), LOAD))


@operation("LIST_APPEND", "SET_ADD")
def _append(machine: Machine, node: Node) -> None:
    element = machine.operand()
    display = machine.peek(cast(int, node.arg))
    if isinstance(display, (ast.List, ast.Set)) and not isinstance(machine.peek(1), Iter):
        _go_on(display)
        display.elts.append(element)
    else:
        machine.body.append(Append(element))


@operation("MAP_ADD")
def _map_add(machine: Machine, node: Node) -> None:
    key, value = machine.operands(2)
    display = machine.peek(cast(int, node.arg))
    if isinstance(display, ast.Dict) and not isinstance(machine.peek(1), Iter):
        display.keys.append(key)
        display.values.append(value)
    else:
        machine.body.append(Append(value, key))


@operation("LIST_EXTEND", "SET_UPDATE")
def _extend(machine: Machine, node: Node) -> None:
    added = machine.operand()
    display = machine.peek(cast(int, node.arg))
    if not isinstance(display, (ast.List, ast.Set)):
        raise machine.refused(STACK_SHAPE, "extends something that is no display")
    if not display.elts and is_constant(added) and _is_folded(display, added):
        elements = cast(Union[ast.Tuple, ast.Set], added).elts
        # Equal elements of a set were folded into one: more of them are folded again.
        display.elts += elements + elements[:1] * (_SHORTEST_FOLDED - len(elements))
        display.folded = added  # type: ignore[union-attr]
    else:
        _go_on(display)
        display.elts.append(ast.Starred(added, LOAD))


def _go_on(display: Union[ast.List, ast.Set]) -> None:
    """What was taken for a whole display of constants was ``*(1, 2, 3)`` when more follows."""
    folded = getattr(display, "folded", None)
    if folded is not None:
        display.elts = [ast.Starred(folded, LOAD)]
        display.folded = None  # type: ignore[union-attr]


@operation("LIST_TO_TUPLE")
def _list_to_tuple(machine: Machine, _node: Node) -> None:
    display = machine.operand()
    if not isinstance(display, ast.List):
        raise machine.refused(STACK_SHAPE, "takes something that is no list display")
    _go_on(display)
    machine.push(ast.Tuple(display.elts, LOAD))


# Displays of at least as many constants are built from one constant tuple or frozenset (Python/compile.c,
# starunpack_helper; Python/flowgraph.c).
_SHORTEST_FOLDED = 3


def _is_folded(display: ast.expr, added: ast.expr) -> bool:
    if isinstance(display, ast.List):
        return isinstance(added, ast.Tuple) and len(added.elts) >= _SHORTEST_FOLDED
    return isinstance(added, ast.Set)


# The compiler builds longer displays in parts (Python/compile.c, STACK_USE_GUIDELINE).
_LONGEST_RUN = 15


@operation("DICT_UPDATE", "DICT_MERGE")
def _update(machine: Machine, node: Node) -> None:
    added = machine.operand()
    display = machine.peek(cast(int, node.arg))
    if not isinstance(display, ast.Dict):
        raise machine.refused(STACK_SHAPE, "updates something that is no display")
    is_run = display.keys and (
        display.keys[-1] is None or (None not in display.keys[-_LONGEST_RUN:] and len(display.keys) >= _LONGEST_RUN)
    )
    is_plain = isinstance(added, ast.Dict) and None not in added.keys
    if isinstance(added, ast.Dict) and is_plain and is_run and (node.op == "DICT_UPDATE" or names_keywords(added)):
        # A run of pairs after a ** item or a full run; a display that was written there compiles to the same.
        display.keys += added.keys
        display.values += added.values
    else:
        display.keys.append(None)
        display.values.append(added)
