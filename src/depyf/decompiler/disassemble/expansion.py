"""One row per instruction that needs more than its own name: how it becomes micro-operations.

    LOAD_FAST_LOAD_FAST 0x12    =>    LOAD_FAST a; LOAD_FAST b
    CALL 2 after KW_NAMES c     =>    LOAD_CONST c; CALL_KW 2
    ROT_THREE                   =>    SWAP 3; SWAP 2

A row is a function of the operand and the code object's names.  Control flow has rows of its own, in ``decode.py``.
"""

from __future__ import annotations

import dis
from types import CodeType
from typing import Callable, Dict, List, NamedTuple, Tuple

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.versions import (
    CALL_EX_HAS_KWARGS_SLOT,
    CALL_EX_HAS_NULL_SLOT,
    CELLS_LOAD_FAST,
    COMPARE_BOOL_BIT,
    COMPARE_SHIFT,
    HANDLER_PUSHES_SIX,
    HAS_LOAD_SUPER_ATTR,
    IMPORT_NAME_HAS_FLAGS,
    LOAD_ATTR_LOADS_METHODS,
    LOAD_GLOBAL_PUSHES_NULL,
    LOCALSPLUS,
    MATCH_PUSHES_SUCCESS,
    NULL_ABOVE_CALLABLE,
    QUALNAME_ON_STACK,
)

Micro = Tuple[str, object]


class Names(NamedTuple):
    """The tables that operands index."""

    consts: Tuple[Const, ...]
    names: Tuple[str, ...]
    fast: Tuple[str, ...]
    deref: Tuple[str, ...]
    cells: frozenset[str]


Row = Callable[[int, Names], List[Micro]]


def names_of(code: CodeType) -> Names:
    """Operand tables of ``code`` (Objects/codeobject.c: co_localsplusnames since 3.11)."""
    cells = code.co_cellvars + code.co_freevars
    fast = code.co_varnames
    if LOCALSPLUS:
        fast = (
            code.co_varnames
            + tuple(name for name in code.co_cellvars if name not in code.co_varnames)
            + code.co_freevars
        )
    return Names(
        consts=tuple(Const(value) for value in code.co_consts),
        names=code.co_names,
        fast=fast,
        deref=fast if LOCALSPLUS else cells,
        cells=frozenset(cells),
    )


def _nothing(_arg: int, _names: Names) -> List[Micro]:
    return []


def _plain(op: str) -> Row:
    return lambda _arg, _names: [(op, None)]


def _counted(op: str) -> Row:
    return lambda arg, _names: [(op, arg)]


def _named(op: str) -> Row:
    return lambda arg, names: [(op, names.names[arg])]


def _local(op: str) -> Row:
    return lambda arg, names: [(op, names.fast[arg])]


def _deref(op: str) -> Row:
    return lambda arg, names: [(op, names.deref[arg])]


def _binary(symbol: str) -> Row:
    return lambda _arg, _names: [("BINARY_OP", symbol)]


def _fixed(*micros: Micro) -> Row:
    return lambda _arg, _names: list(micros)


def rotate(count: int) -> List[Micro]:
    """ROT_N as swaps: the top slot goes below ``count - 1`` others."""
    return [("SWAP", depth) for depth in range(count, 1, -1)]


def _load_const(arg: int, names: Names) -> List[Micro]:
    return [("LOAD_CONST", names.consts[arg])]


def _load_fast(arg: int, names: Names) -> List[Micro]:
    name = names.fast[arg]
    return [("LOAD_CLOSURE" if CELLS_LOAD_FAST and name in names.cells else "LOAD_FAST", name)]


def _two_fast(first: str, second: str) -> Row:
    rows = {"LOAD_FAST": _load_fast, "STORE_FAST": _local("STORE_FAST")}
    return lambda arg, names: rows[first](arg >> 4, names) + rows[second](arg & 15, names)


def _with_null(load: Micro, wanted: int) -> List[Micro]:
    if not wanted:
        return [load]
    return [load, ("PUSH_NULL", None)] if NULL_ABOVE_CALLABLE else [("PUSH_NULL", None), load]


def _load_global(arg: int, names: Names) -> List[Micro]:
    if not LOAD_GLOBAL_PUSHES_NULL:
        return [("LOAD_GLOBAL", names.names[arg])]
    return _with_null(("LOAD_GLOBAL", names.names[arg >> 1]), arg & 1)


def _load_attr(arg: int, names: Names) -> List[Micro]:
    if not LOAD_ATTR_LOADS_METHODS:
        return [("LOAD_ATTR", names.names[arg])]
    return [("LOAD_METHOD" if arg & 1 else "LOAD_ATTR", names.names[arg >> 1])]


def _load_super_attr(arg: int, names: Names) -> List[Micro]:
    return [("LOAD_SUPER_ATTR", (names.names[arg >> 2], bool(arg & 1), bool(arg & 2)))]


_OLD_COMPARISONS: Dict[str, Micro] = {
    "in": ("CONTAINS_OP", 0),
    "not in": ("CONTAINS_OP", 1),
    "is": ("IS_OP", 0),
    "is not": ("IS_OP", 1),
    "exception match": ("EXC_MATCH", None),
}


def _compare(arg: int, _names: Names) -> List[Micro]:
    symbol = dis.cmp_op[arg >> COMPARE_SHIFT]
    micro = _OLD_COMPARISONS.get(symbol, ("COMPARE_OP", symbol))
    return [micro, ("TO_BOOL", None)] if arg & COMPARE_BOOL_BIT else [micro]


def _binary_op(arg: int, _names: Names) -> List[Micro]:
    symbol = dis._nb_ops[arg][1]  # type: ignore[attr-defined]
    return [("BINARY_SUBSCR", None)] if symbol == "[]" else [("BINARY_OP", symbol)]


def _call_function_ex(arg: int, _names: Names) -> List[Micro]:
    return [("CALL_FUNCTION_EX", (CALL_EX_HAS_NULL_SLOT, CALL_EX_HAS_KWARGS_SLOT or bool(arg & 1)))]


_CONVERSIONS = ("", "s", "r", "a")


def _format_value(arg: int, _names: Names) -> List[Micro]:
    return [("FORMAT_VALUE", (_CONVERSIONS[arg & 3], bool(arg & 4)))]


def _build_interpolation(arg: int, _names: Names) -> List[Micro]:
    return [("BUILD_INTERPOLATION", (_CONVERSIONS[arg >> 2], bool(arg & 1)))]


_INTRINSICS_WITH_RESULT = {"PRINT": "PRINT", "IMPORT_STAR": "IMPORT_STAR_RESULT"}


def _intrinsic(table: str) -> Row:
    descriptions = getattr(dis, table, ())

    def row(arg: int, _names: Names) -> List[Micro]:
        name = descriptions[arg].partition("INTRINSIC_")[2]
        if name.endswith("_INVALID"):
            raise ValueError("no such intrinsic function")
        return [(_INTRINSICS_WITH_RESULT.get(name, name), None)]

    return row


def _common_constant(arg: int, _names: Names) -> List[Micro]:
    value = dis._common_constants[arg]  # type: ignore[attr-defined]
    # Since 3.15 there are constants of literals among them, too.
    name = getattr(value, "__name__", None)
    return [("LOAD_CONST", Const(value)) if name is None else ("LOAD_COMMON_CONSTANT", name)]


def _import_name(arg: int, names: Names) -> List[Micro]:
    if not IMPORT_NAME_HAS_FLAGS:
        return [("IMPORT_NAME", names.names[arg])]
    if arg & 1:
        raise ValueError("a lazy import")
    return [("IMPORT_NAME", names.names[arg >> 2])]


def _load_special(arg: int, _names: Names) -> List[Micro]:
    return [("LOAD_SPECIAL", dis._special_method_names[arg])]  # type: ignore[attr-defined]


def _unpack_ex(arg: int, _names: Names) -> List[Micro]:
    return [("UNPACK_EX", (arg & 0xFF, arg >> 8))]


_SLICE_OF_TWO: Micro = ("BUILD_SLICE", 2)

_BINARY_OPERATORS = {
    "POWER": "**", "MULTIPLY": "*", "MATRIX_MULTIPLY": "@", "FLOOR_DIVIDE": "//", "TRUE_DIVIDE": "/", "MODULO": "%",
    "ADD": "+",
    "SUBTRACT": "-", "LSHIFT": "<<", "RSHIFT": ">>", "AND": "&", "XOR": "^", "OR": "|",
}  # fmt: skip

# PYVERSIONS: the union over all Pythons; a name means the same wherever it exists, or a behaviour above tells it apart.
ROWS: Dict[str, Row] = {
    **dict.fromkeys(("NOP", "CACHE", "RESUME", "PRECALL", "NOT_TAKEN", "COPY_FREE_VARS", "GEN_START"), _nothing),
    **{op: _plain(op) for op in (
        "POP_TOP", "PUSH_NULL", "UNARY_POSITIVE", "UNARY_NEGATIVE", "UNARY_NOT", "UNARY_INVERT", "TO_BOOL",
        "BINARY_SUBSCR",
        "STORE_SUBSCR", "DELETE_SUBSCR", "GET_ITER", "GET_YIELD_FROM_ITER", "LOAD_BUILD_CLASS", "LOAD_LOCALS",
        "PRINT_EXPR",
        "SETUP_ANNOTATIONS", "GET_LEN", "MATCH_MAPPING", "MATCH_SEQUENCE", "COPY_DICT_WITHOUT_KEYS", "GET_AITER",
        "GET_ANEXT",
        "ASYNC_GEN_WRAP", "BEFORE_WITH", "BEFORE_ASYNC_WITH", "END_ASYNC_FOR", "YIELD_FROM", "END_SEND",
        "CLEANUP_THROW",
        "IMPORT_STAR", "LIST_TO_TUPLE", "PUSH_EXC_INFO", "POP_EXCEPT", "CHECK_EXC_MATCH", "CHECK_EG_MATCH",
        "PREP_RERAISE_STAR",
        "WITH_EXCEPT_START", "FORMAT_SIMPLE", "FORMAT_WITH_SPEC", "BUILD_TEMPLATE", "YIELD_VALUE",
    )},
    **{op: _counted(op) for op in (
        "COPY", "SWAP", "BUILD_TUPLE", "BUILD_LIST", "BUILD_SET", "BUILD_MAP", "BUILD_STRING", "BUILD_SLICE",
        "BUILD_CONST_KEY_MAP",
        "LIST_APPEND", "SET_ADD", "MAP_ADD", "LIST_EXTEND", "SET_UPDATE", "DICT_UPDATE", "DICT_MERGE",
        "BUILD_TUPLE_UNPACK",
        "BUILD_TUPLE_UNPACK_WITH_CALL", "BUILD_LIST_UNPACK", "BUILD_SET_UNPACK", "BUILD_MAP_UNPACK",
        "BUILD_MAP_UNPACK_WITH_CALL",
        "CALL_FUNCTION", "CALL_FUNCTION_KW", "CALL", "CALL_KW", "SET_FUNCTION_ATTRIBUTE", "UNPACK_SEQUENCE",
        "GET_AWAITABLE", "CONTAINS_OP",
        "IS_OP",
    )},
    **{op: _named(op) for op in (
        "LOAD_NAME", "STORE_NAME", "DELETE_NAME", "STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR", "DELETE_ATTR",
        "LOAD_METHOD", "IMPORT_FROM", "LOAD_FROM_DICT_OR_GLOBALS",
    )},
    **{op: _local(op) for op in ("STORE_FAST", "DELETE_FAST", "LOAD_FAST_AND_CLEAR", "MAKE_CELL")},
    **{op: _deref(op) for op in (
        "LOAD_DEREF", "STORE_DEREF", "DELETE_DEREF", "LOAD_CLASSDEREF", "LOAD_CLOSURE", "LOAD_FROM_DICT_OR_DEREF",
    )},
    **{f"BINARY_{name}": _binary(symbol) for name, symbol in _BINARY_OPERATORS.items()},
    **{f"INPLACE_{name}": _binary(symbol + "=") for name, symbol in _BINARY_OPERATORS.items()},
    "POP_ITER": _plain("POP_TOP"),
    "ROT_TWO": lambda _arg, _names: rotate(2),
    "ROT_THREE": lambda _arg, _names: rotate(3),
    "ROT_FOUR": lambda _arg, _names: rotate(4),
    "ROT_N": lambda arg, _names: rotate(arg),
    "DUP_TOP": _fixed(("COPY", 1)),
    "DUP_TOP_TWO": _fixed(("COPY", 2), ("COPY", 2)),
    "LOAD_CONST": _load_const,
    "KW_NAMES": _load_const,
    "LOAD_SMALL_INT": lambda arg, _names: [("LOAD_CONST", Const(arg))],
    "LOAD_FAST": _load_fast,
    "LOAD_FAST_CHECK": _load_fast,
    "LOAD_FAST_BORROW": _load_fast,
    "LOAD_FAST_LOAD_FAST": _two_fast("LOAD_FAST", "LOAD_FAST"),
    "LOAD_FAST_BORROW_LOAD_FAST_BORROW": _two_fast("LOAD_FAST", "LOAD_FAST"),
    "STORE_FAST_LOAD_FAST": _two_fast("STORE_FAST", "LOAD_FAST"),
    "STORE_FAST_STORE_FAST": _two_fast("STORE_FAST", "STORE_FAST"),
    "LOAD_GLOBAL": _load_global,
    "LOAD_ATTR": _load_attr,
    "COMPARE_OP": _compare,
    "BINARY_OP": _binary_op,
    "BINARY_SLICE": _fixed(_SLICE_OF_TWO, ("BINARY_SUBSCR", None)),
    "STORE_SLICE": _fixed(_SLICE_OF_TWO, ("STORE_SUBSCR", None)),
    "CALL_METHOD": _counted("CALL"),
    "CALL_FUNCTION_EX": _call_function_ex,
    "MAKE_FUNCTION": _counted("MAKE_FUNCTION_NAMED" if QUALNAME_ON_STACK else "MAKE_FUNCTION"),
    "FORMAT_VALUE": _format_value,
    "CONVERT_VALUE": lambda arg, _names: [("CONVERT_VALUE", _CONVERSIONS[arg])],
    "BUILD_INTERPOLATION": _build_interpolation,
    "UNPACK_EX": _unpack_ex,
    "MATCH_KEYS": _plain("MATCH_KEYS_AND_SUCCESS" if MATCH_PUSHES_SUCCESS else "MATCH_KEYS"),
    "MATCH_CLASS": _counted("MATCH_CLASS_AND_SUCCESS" if MATCH_PUSHES_SUCCESS else "MATCH_CLASS"),
    "CALL_INTRINSIC_1": _intrinsic("_intrinsic_1_descs"),
    "CALL_INTRINSIC_2": _intrinsic("_intrinsic_2_descs"),
    "LOAD_ASSERTION_ERROR": _fixed(("LOAD_COMMON_CONSTANT", "AssertionError")),
    "LOAD_COMMON_CONSTANT": _common_constant,
    "LOAD_SPECIAL": _load_special,
    "IMPORT_NAME": _import_name,
}  # fmt: skip

if HAS_LOAD_SUPER_ATTR:
    ROWS["LOAD_SUPER_ATTR"] = _load_super_attr

# Slots that the interpreter pushes before a handler starts: three of old exception state and three of the new one
# until 3.10.
HANDLER_ENTRY_SLOTS = 6 if HANDLER_PUSHES_SIX else 1
