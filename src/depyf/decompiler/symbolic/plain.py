"""Rows of operations that are only compared: their operands are what they pop, their results what they push."""

from __future__ import annotations

from typing import Dict, Tuple

from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.disassemble.opcodes import MICRO_OPS
from depyf.decompiler.symbolic.machine import Machine, Step, operation
from depyf.decompiler.symbolic.state import State
from depyf.decompiler.symbolic.values import Values

_PLAIN = (
    "UNARY_NEGATIVE", "UNARY_POSITIVE", "UNARY_INVERT", "COMPARE_OP", "GET_ITER", "IMPORT_NAME", "IMPORT_STAR",
    "IMPORT_STAR_RESULT", "BUILD_STRING", "FORMAT_VALUE", "CONVERT_VALUE", "FORMAT_SIMPLE", "FORMAT_WITH_SPEC",
    "BUILD_INTERPOLATION", "BUILD_TEMPLATE", "BUILD_MAP_UNPACK", "BUILD_MAP_UNPACK_WITH_CALL",
    "LOAD_BUILD_CLASS", "LOAD_LOCALS", "SETUP_ANNOTATIONS", "GET_YIELD_FROM_ITER", "GET_AWAITABLE", "GET_AITER",
    "YIELD_VALUE", "YIELD_FROM", "ASYNC_GEN_WRAP", "STOPITERATION_ERROR", "PRINT_EXPR", "PRINT", "PREP_RERAISE_STAR",
    "MATCH_CLASS", "MATCH_CLASS_AND_SUCCESS", "TYPEVAR", "PARAMSPEC", "TYPEVARTUPLE", "SUBSCRIPT_GENERIC",
    "TYPEALIAS", "TYPEVAR_WITH_BOUND", "TYPEVAR_WITH_CONSTRAINTS", "SET_FUNCTION_TYPE_PARAMS",
    "SET_TYPEPARAM_DEFAULT",
)  # fmt: skip

# Operations that look at slots without popping them: how many, and how many results they push.
_PEEKING: Dict[str, Tuple[int, int]] = {
    "IMPORT_FROM": (1, 1),
    "GET_LEN": (1, 1),
    "GET_ANEXT": (1, 1),
    "MATCH_MAPPING": (1, 1),
    "MATCH_SEQUENCE": (1, 1),
    "MATCH_KEYS": (2, 1),
    "MATCH_KEYS_AND_SUCCESS": (2, 2),
    "COPY_DICT_WITHOUT_KEYS": (2, 1),
}


@operation(*_PLAIN)
def plain(machine: Machine, state: State, node: Node) -> Step:
    pops, pushes = MICRO_OPS[node.op].effect(node.arg)
    return machine.effect(
        state, node, (node.op, node.arg), _top(state, pops), pops, tuple(range(pushes)), (None,) * pushes
    )


@operation(*_PEEKING)
def peeking(machine: Machine, state: State, node: Node) -> Step:
    looks, pushes = _PEEKING[node.op]
    pops = 1 if node.op == "COPY_DICT_WITHOUT_KEYS" else 0
    return machine.effect(
        state, node, (node.op, node.arg), _top(state, looks), pops, tuple(range(pushes)), (None,) * pushes
    )


@operation("LOAD_COMMON_CONSTANT")
def load_common_constant(machine: Machine, state: State, node: Node) -> Step:
    return machine.effect(state, node, ("LOAD_COMMON_CONSTANT", node.arg), (), 0)


def _top(state: State, count: int) -> Values:
    if count > len(state.stack):
        raise IndexError(count)
    return tuple(state.stack[len(state.stack) - count :])
