"""The micro-operations that effect graphs are made of, one row each: what it pops and pushes, and whether it can raise.

Names are CPython's newest wherever CPython has one (Doc/library/dis.rst).  Versions stop mattering here:
``instructions.py``
rewrites every instruction of every Python into these rows.  ``pops`` and ``pushes`` are those of the first successor;
``EDGE_EFFECTS`` lists the few edges that differ.
"""

from __future__ import annotations

from typing import Callable, Dict, NamedTuple, Tuple, Union

from depyf.decompiler.versions import HANDLER_PUSHES_SIX

Count = Union[int, Callable[..., int]]


class MicroOp(NamedTuple):
    """One row: stack effect (a number, or a function of the operand) and whether the operation can raise."""

    pops: Count
    pushes: Count
    raises: bool

    def effect(self, arg: object) -> Tuple[int, int]:
        """Slots popped and pushed with operand ``arg``."""
        pops = self.pops if isinstance(self.pops, int) else self.pops(arg)
        pushes = self.pushes if isinstance(self.pushes, int) else self.pushes(arg)
        return pops, pushes


def _operand(count: int) -> int:
    return count


def _plus(extra: int) -> Callable[[int], int]:
    return lambda count: count + extra


def _super_attr(arg: Tuple[str, bool, bool]) -> int:
    return 2 if arg[1] else 1


def _unpack_ex(arg: Tuple[int, int]) -> int:
    return arg[0] + 1 + arg[1]


def _call_ex(arg: Tuple[bool, bool]) -> int:
    null_slot, kwargs = arg
    return 2 + null_slot + kwargs


def _interpolation(arg: Tuple[str, bool]) -> int:
    return 2 + arg[1]


def _format_value(arg: Tuple[str, bool]) -> int:
    return 1 + arg[1]


def _make_function_311(flags: int) -> int:
    return 1 + bin(flags).count("1")


def _make_function_with_qualname(flags: int) -> int:
    return 2 + bin(flags).count("1")


_QUIET = False
_RAISES = True

MICRO_OPS: Dict[str, MicroOp] = {
    # data movement
    "NOP": MicroOp(0, 0, _QUIET),
    "LOAD_CONST": MicroOp(0, 1, _QUIET),
    "PUSH_NULL": MicroOp(0, 1, _QUIET),
    "POP_TOP": MicroOp(1, 0, _QUIET),
    "COPY": MicroOp(_operand, _plus(1), _QUIET),
    "SWAP": MicroOp(_operand, _operand, _QUIET),
    # variables
    "LOAD_FAST": MicroOp(0, 1, _RAISES),
    "STORE_FAST": MicroOp(1, 0, _QUIET),
    "DELETE_FAST": MicroOp(0, 0, _RAISES),
    "LOAD_FAST_AND_CLEAR": MicroOp(0, 1, _QUIET),
    "LOAD_NAME": MicroOp(0, 1, _RAISES),
    "STORE_NAME": MicroOp(1, 0, _RAISES),
    "DELETE_NAME": MicroOp(0, 0, _RAISES),
    "LOAD_GLOBAL": MicroOp(0, 1, _RAISES),
    "STORE_GLOBAL": MicroOp(1, 0, _RAISES),
    "DELETE_GLOBAL": MicroOp(0, 0, _RAISES),
    "LOAD_DEREF": MicroOp(0, 1, _RAISES),
    "STORE_DEREF": MicroOp(1, 0, _QUIET),
    "DELETE_DEREF": MicroOp(0, 0, _RAISES),
    "LOAD_CLASSDEREF": MicroOp(0, 1, _RAISES),
    "LOAD_CLOSURE": MicroOp(0, 1, _QUIET),
    "LOAD_LOCALS": MicroOp(0, 1, _RAISES),
    "LOAD_FROM_DICT_OR_DEREF": MicroOp(1, 1, _RAISES),
    "LOAD_FROM_DICT_OR_GLOBALS": MicroOp(1, 1, _RAISES),
    "MAKE_CELL": MicroOp(0, 0, _QUIET),
    "LOAD_BUILD_CLASS": MicroOp(0, 1, _RAISES),
    "LOAD_COMMON_CONSTANT": MicroOp(0, 1, _QUIET),
    "SETUP_ANNOTATIONS": MicroOp(0, 0, _RAISES),
    # operators
    "UNARY_NEGATIVE": MicroOp(1, 1, _RAISES),
    "UNARY_POSITIVE": MicroOp(1, 1, _RAISES),
    "UNARY_INVERT": MicroOp(1, 1, _RAISES),
    "UNARY_NOT": MicroOp(1, 1, _RAISES),
    "TO_BOOL": MicroOp(1, 1, _RAISES),
    "BINARY_OP": MicroOp(2, 1, _RAISES),
    "BINARY_SUBSCR": MicroOp(2, 1, _RAISES),
    "STORE_SUBSCR": MicroOp(3, 0, _RAISES),
    "DELETE_SUBSCR": MicroOp(2, 0, _RAISES),
    "COMPARE_OP": MicroOp(2, 1, _RAISES),
    "IS_OP": MicroOp(2, 1, _QUIET),
    "CONTAINS_OP": MicroOp(2, 1, _RAISES),
    # attributes
    "LOAD_ATTR": MicroOp(1, 1, _RAISES),
    "LOAD_METHOD": MicroOp(1, 2, _RAISES),
    "LOAD_SUPER_ATTR": MicroOp(3, _super_attr, _RAISES),
    "LOAD_SPECIAL": MicroOp(1, 2, _RAISES),
    "STORE_ATTR": MicroOp(2, 0, _RAISES),
    "DELETE_ATTR": MicroOp(1, 0, _RAISES),
    # displays
    "BUILD_TUPLE": MicroOp(_operand, 1, _QUIET),
    "BUILD_LIST": MicroOp(_operand, 1, _QUIET),
    "BUILD_SET": MicroOp(_operand, 1, _RAISES),
    "BUILD_MAP": MicroOp(lambda pairs: 2 * pairs, 1, _RAISES),
    "BUILD_CONST_KEY_MAP": MicroOp(_plus(1), 1, _RAISES),
    "BUILD_STRING": MicroOp(_operand, 1, _QUIET),
    "BUILD_SLICE": MicroOp(_operand, 1, _QUIET),
    "LIST_APPEND": MicroOp(_plus(1), _operand, _QUIET),
    "SET_ADD": MicroOp(_plus(1), _operand, _RAISES),
    "MAP_ADD": MicroOp(_plus(2), _operand, _RAISES),
    "LIST_EXTEND": MicroOp(_plus(1), _operand, _RAISES),
    "SET_UPDATE": MicroOp(_plus(1), _operand, _RAISES),
    "DICT_UPDATE": MicroOp(_plus(1), _operand, _RAISES),
    "DICT_MERGE": MicroOp(_plus(1), _operand, _RAISES),
    "LIST_TO_TUPLE": MicroOp(1, 1, _QUIET),
    "BUILD_TUPLE_UNPACK": MicroOp(_operand, 1, _RAISES),
    "BUILD_TUPLE_UNPACK_WITH_CALL": MicroOp(_operand, 1, _RAISES),
    "BUILD_LIST_UNPACK": MicroOp(_operand, 1, _RAISES),
    "BUILD_SET_UNPACK": MicroOp(_operand, 1, _RAISES),
    "BUILD_MAP_UNPACK": MicroOp(_operand, 1, _RAISES),
    "BUILD_MAP_UNPACK_WITH_CALL": MicroOp(_operand, 1, _RAISES),
    "FORMAT_VALUE": MicroOp(_format_value, 1, _RAISES),
    "CONVERT_VALUE": MicroOp(1, 1, _RAISES),
    "FORMAT_SIMPLE": MicroOp(1, 1, _RAISES),
    "FORMAT_WITH_SPEC": MicroOp(2, 1, _RAISES),
    "BUILD_INTERPOLATION": MicroOp(_interpolation, 1, _RAISES),
    "BUILD_TEMPLATE": MicroOp(2, 1, _RAISES),
    # calls and functions
    "CALL_FUNCTION": MicroOp(_plus(1), 1, _RAISES),
    "CALL_FUNCTION_KW": MicroOp(_plus(2), 1, _RAISES),
    "CALL": MicroOp(_plus(2), 1, _RAISES),
    "CALL_KW": MicroOp(_plus(3), 1, _RAISES),
    "CALL_FUNCTION_EX": MicroOp(_call_ex, 1, _RAISES),
    "MAKE_FUNCTION": MicroOp(_make_function_311, 1, _QUIET),
    "MAKE_FUNCTION_NAMED": MicroOp(_make_function_with_qualname, 1, _QUIET),
    "SET_FUNCTION_ATTRIBUTE": MicroOp(2, 1, _QUIET),
    # control
    "BRANCH": MicroOp(1, 0, _RAISES),
    "GET_ITER": MicroOp(1, 1, _RAISES),
    "FOR_ITER": MicroOp(1, 2, _RAISES),
    "RETURN_VALUE": MicroOp(1, 0, _QUIET),
    "RAISE_VARARGS": MicroOp(_operand, 0, _RAISES),
    # Stands behind code that never ends by itself; no instruction makes it.
    "UNREACHABLE": MicroOp(0, 0, _QUIET),
    "RERAISE": MicroOp(3 if HANDLER_PUSHES_SIX else 1, 0, _RAISES),
    # a comprehension that lift/inlined.py found; decoding never makes it
    "COMPREHENSION": MicroOp(1, 1, _RAISES),
    # generators and coroutines
    "GET_YIELD_FROM_ITER": MicroOp(1, 1, _RAISES),
    "GET_AWAITABLE": MicroOp(1, 1, _RAISES),
    "GET_AITER": MicroOp(1, 1, _RAISES),
    "GET_ANEXT": MicroOp(1, 2, _RAISES),
    "YIELD_VALUE": MicroOp(1, 1, _RAISES),
    "YIELD_FROM": MicroOp(2, 1, _RAISES),
    "SEND": MicroOp(2, 2, _RAISES),
    "END_SEND": MicroOp(2, 1, _QUIET),
    "CLEANUP_THROW": MicroOp(3, 2, _RAISES),
    "END_ASYNC_FOR": MicroOp(7 if HANDLER_PUSHES_SIX else 2, 0, _RAISES),
    "ASYNC_GEN_WRAP": MicroOp(1, 1, _RAISES),
    "STOPITERATION_ERROR": MicroOp(1, 1, _QUIET),
    # exceptions and contexts
    # Until 3.10 the interpreter does on its own what PUSH_EXC_INFO does since.
    "ENTER_HANDLER": MicroOp(0, 0, _QUIET),
    "PUSH_EXC_INFO": MicroOp(1, 2, _QUIET),
    "POP_EXCEPT": MicroOp(3 if HANDLER_PUSHES_SIX else 1, 0, _QUIET),
    "EXC_MATCH": MicroOp(2, 1, _RAISES),
    "CHECK_EXC_MATCH": MicroOp(2, 2, _RAISES),
    "CHECK_EG_MATCH": MicroOp(2, 2, _RAISES),
    "PREP_RERAISE_STAR": MicroOp(2, 1, _RAISES),
    "WITH_EXCEPT_START": MicroOp(0, 1, _RAISES),
    "BEFORE_WITH": MicroOp(1, 2, _RAISES),
    "BEFORE_ASYNC_WITH": MicroOp(1, 2, _RAISES),
    # taking apart, and imports
    "UNPACK_SEQUENCE": MicroOp(1, _operand, _RAISES),
    "UNPACK_EX": MicroOp(1, _unpack_ex, _RAISES),
    "IMPORT_NAME": MicroOp(2, 1, _RAISES),
    "IMPORT_FROM": MicroOp(1, 2, _RAISES),
    "IMPORT_STAR": MicroOp(1, 0, _RAISES),
    "PRINT_EXPR": MicroOp(1, 0, _RAISES),
    "PRINT": MicroOp(1, 1, _RAISES),
    "IMPORT_STAR_RESULT": MicroOp(1, 1, _RAISES),
    # pattern matching (PEP 634); the first two are made by lift/matching.py
    "MATCH_SUBJECT": MicroOp(1, 1, _QUIET),
    "MATCH_CAPTURE": MicroOp(1, 0, _RAISES),
    "GET_LEN": MicroOp(1, 2, _RAISES),
    "MATCH_MAPPING": MicroOp(1, 2, _QUIET),
    "MATCH_SEQUENCE": MicroOp(1, 2, _QUIET),
    "MATCH_KEYS": MicroOp(2, 3, _RAISES),
    "MATCH_CLASS": MicroOp(3, 1, _RAISES),
    "MATCH_KEYS_AND_SUCCESS": MicroOp(2, 4, _RAISES),
    "MATCH_CLASS_AND_SUCCESS": MicroOp(3, 2, _RAISES),
    "COPY_DICT_WITHOUT_KEYS": MicroOp(2, 2, _RAISES),
    # type parameters (PEP 695, PEP 696)
    "TYPEVAR": MicroOp(1, 1, _RAISES),
    "PARAMSPEC": MicroOp(1, 1, _RAISES),
    "TYPEVARTUPLE": MicroOp(1, 1, _RAISES),
    "SUBSCRIPT_GENERIC": MicroOp(1, 1, _RAISES),
    "TYPEALIAS": MicroOp(1, 1, _RAISES),
    "TYPEVAR_WITH_BOUND": MicroOp(2, 1, _RAISES),
    "TYPEVAR_WITH_CONSTRAINTS": MicroOp(2, 1, _RAISES),
    "SET_FUNCTION_TYPE_PARAMS": MicroOp(2, 1, _RAISES),
    "SET_TYPEPARAM_DEFAULT": MicroOp(2, 1, _RAISES),
}

# Stack growth of the second successor, where it is not that of the first.
EDGE_EFFECTS: Dict[str, int] = {"FOR_ITER": -1}
