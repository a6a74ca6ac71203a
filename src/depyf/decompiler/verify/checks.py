"""What is compared, as tables: facts of a code object as a whole, and columns of facts about each of its nodes.

A program can tell apart two code objects that differ in any of these facts; ``docs/equivalence.md`` says what is left
out and why.  Tests remove the entries one at a time and expect a mutant to slip through.
"""

from __future__ import annotations

import dis
import inspect
from types import CodeType
from typing import Callable, Dict, FrozenSet, List, NamedTuple, Optional, Sequence, Set, Tuple

from depyf.decompiler.disassemble.constants import Const, is_code
from depyf.decompiler.disassemble.graph import Graph, Handler, Node
from depyf.decompiler.disassemble.instructions import read_instructions
from depyf.decompiler.disassemble.opcodes import MICRO_OPS
from depyf.decompiler.verify.exact import in_order
from depyf.decompiler.versions import DOCSTRING_FLAG, LOCALSPLUS

CO_FUTURE_BARRY_AS_BDFL = 0x400000
CO_FUTURE_ANNOTATIONS = 0x1000000
CO_HAS_DOCSTRING = 0x4000000

# The two __future__ flags are inherited by compile() and exec() inside the code; the others have no effect any more.
COMPARED_FLAGS = (
    inspect.CO_OPTIMIZED
    | inspect.CO_NEWLOCALS
    | inspect.CO_VARARGS
    | inspect.CO_VARKEYWORDS
    | inspect.CO_GENERATOR
    | inspect.CO_COROUTINE
    | inspect.CO_ITERABLE_COROUTINE
    | inspect.CO_ASYNC_GENERATOR
    | CO_FUTURE_BARRY_AS_BDFL
    | CO_FUTURE_ANNOTATIONS
)


def _flags(code: CodeType) -> object:
    return code.co_flags & COMPARED_FLAGS


def _argument_counts(code: CodeType) -> object:
    return code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount


def parameters(code: CodeType) -> Tuple[str, ...]:
    """Names of the parameters in the order of ``co_varnames``, ``*args`` and ``**kwargs`` last."""
    starred = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + starred]


def docstring(code: CodeType) -> Optional[str]:
    """``__doc__`` of a function made from ``code`` (Objects/funcobject.c); None for bodies of classes and modules."""
    has_docstring = code.co_flags & (CO_HAS_DOCSTRING if DOCSTRING_FLAG else inspect.CO_OPTIMIZED)
    first = code.co_consts[0] if has_docstring and code.co_consts else None
    return first if isinstance(first, str) else None


CodeChecks = Dict[str, Callable[[CodeType], object]]

CODE_CHECKS: CodeChecks = {
    "name": lambda code: code.co_name,
    "qualified name": lambda code: getattr(code, "co_qualname", None),
    "flags": _flags,
    "argument counts": _argument_counts,
    "parameters": parameters,
    "free variables": lambda code: frozenset(code.co_freevars),
    "docstring": docstring,
}

# Nested code: the closure that MAKE_FUNCTION takes binds free variables by position.
NESTED_CHECKS: CodeChecks = {
    "order of free variables": lambda code: code.co_freevars,
}

# Code that takes the place of other code in a frame (torch/_dynamo/convert_frame.py compares the same).
REPLACEMENT_CHECKS: CodeChecks = {
    **NESTED_CHECKS,
    "order of cell variables": lambda code: code.co_cellvars,
}


def differing_fact(checks: CodeChecks, original: CodeType, candidate: CodeType) -> str:
    """The first fact in which two code objects differ, as a sentence; empty if there is none."""
    for name, fact in checks.items():
        expected, found = fact(original), fact(candidate)
        if expected != found:
            return f"{name}: expected {expected!r}, found {found!r}"
    return ""


def ambiguous_name(code: CodeType) -> Optional[str]:
    """A name that stands for two locals that ``code`` uses, which graphs cannot tell apart.

    No compiler gives one name to two locals; Dynamo does, and uses one of them.
    """
    names = code.co_varnames
    if len(set(names)) == len(names):
        return None
    used = [names[slot] for slot in sorted(_used_slots(code)) if slot < len(names)]
    return next((name for name in used if used.count(name) > 1), None)


def _used_slots(code: CodeType) -> Set[int]:
    """Slots of parameters, and those that instructions name."""
    slots = set(range(len(parameters(code))))
    for instruction in read_instructions(code).values():
        if instruction.opname.count("FAST") > 1:
            # Two instructions in one (3.13+).
            slots.update((instruction.arg >> 4, instruction.arg & 15))
        elif "FAST" in instruction.opname or (LOCALSPLUS and instruction.opname in _DEREF):
            slots.add(instruction.arg)
    return slots


# Operations that a rule puts in the place of others; they are compared like those of ``MICRO_OPS``.
TEST = "TEST"
STORES = "STORES"
UNBIND = "UNBIND"
CELLS = "CELLS"

_RAISING = frozenset(op for op, row in MICRO_OPS.items() if row.raises) | {TEST}
_FAST = frozenset(["LOAD_FAST", "STORE_FAST", "DELETE_FAST", "LOAD_FAST_AND_CLEAR"])

# The operand that stands for any code object: nested code is compared by walking it, not by its constant.
NESTED_CODE = "nested code"


class Rows(NamedTuple):
    """A graph as the checks see it: handlers only where something can be raised, and what its names stand for."""

    nodes: Sequence[Node]
    handlers: Sequence[Optional[Handler]]
    cells: FrozenSet[str]
    free_at: Dict[int, bool]


def rows_of(graph: Graph) -> Rows:
    """The nodes of ``graph``, ready to be compared."""
    handlers = [node.handler if node.op in _RAISING else None for node in graph.nodes]
    code = graph.code
    free_at = _free_at(code) if set(code.co_cellvars).intersection(code.co_freevars) else {}
    return Rows(graph.nodes, handlers, frozenset(code.co_cellvars + code.co_freevars), free_at)


# Not dis.hasfree: that of 3.14 lacks LOAD_DEREF.
_CELL_LOADS = {"LOAD_CLOSURE", "MAKE_CELL", "LOAD_FAST", "LOAD_FAST_BORROW"}
_DEREF = frozenset(name for name in dis.opmap if name.endswith("DEREF") or name in _CELL_LOADS)
_DEREF_OPS = frozenset(op for op in MICRO_OPS if "DEREF" in op) | {"LOAD_CLOSURE", "MAKE_CELL"}


def _free_at(code: CodeType) -> Dict[int, bool]:
    """By offset, whether an instruction means the free variable of its name and not the cell variable.

    A class body can have both, if a comprehension in it captures a name that the class takes from outside.
    """
    first = len(code.co_cellvars)
    if LOCALSPLUS:
        first = len(set(code.co_varnames + code.co_cellvars))
    found = (instruction for instruction in dis.get_instructions(code) if instruction.opname in _DEREF)
    return {instruction.offset: instruction.arg is not None and instruction.arg >= first for instruction in found}


def _constant(rows: Rows, node: Node, constant: Const) -> object:
    """What is compared of a constant."""
    if is_code(constant.value):
        return NESTED_CODE
    if type(constant.value) is frozenset and rows.nodes[node.next[0]].op != "CONTAINS_OP":
        # `for x in {8, 0}` iterates over a constant, in an order that shows how it was built.
        return constant.key, in_order(constant.value)
    return constant.key


def _operands(rows: Rows) -> List[object]:
    operands: List[object] = []
    for node in rows.nodes:
        arg = node.arg
        if type(arg) is Const:
            operands.append(_constant(rows, node, arg))
        elif rows.cells and node.op in _FAST and arg in rows.cells:
            # A name can stand for a local here and for a cell there: the slot of a cell holds the cell, not the value.
            operands.append((arg, "slot of a cell"))
        elif rows.free_at and node.op in _DEREF_OPS:
            # An unknown place is equal to nothing, itself included.
            operands.append((arg, rows.free_at.get(node.offset, object())))
        else:
            operands.append(arg)
    return operands


NODE_CHECKS: Dict[str, Callable[[Rows], Sequence[object]]] = {
    "operation": lambda rows: [node.op for node in rows.nodes],
    "operand": _operands,
    "stack kept for the handler": lambda rows: [handler and handler.depth for handler in rows.handlers],
    "lasti": lambda rows: [handler and handler.lasti for handler in rows.handlers],
}

# Where a walk goes on from a pair of equal nodes.
EDGE_CHECKS: Dict[str, Callable[[Rows], Sequence[Tuple[int, ...]]]] = {
    "successors": lambda rows: [node.next for node in rows.nodes],
    "handlers": lambda rows: [() if handler is None else (handler.target,) for handler in rows.handlers],
}
