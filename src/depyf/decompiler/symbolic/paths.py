"""Paths by which Dynamo finds what it guarded: modules, parameters and buffers by name.

    self._modules["layers"]._modules["0"]._parameters["weight"]

Loading the same step of such a path again, with nothing but loads in between, gives the same object (A-PATH).
"""

from __future__ import annotations

from typing import Container, FrozenSet, Mapping, Optional, Sequence, Tuple

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.symbolic.state import State
from depyf.decompiler.symbolic.values import Installed, Symbol, Value

# Dictionaries in which a module keeps what it is made of, and that of its attributes.
DICTIONARIES = frozenset(["__dict__", "_modules", "_parameters", "_buffers"])
# Dynamo's module of functions that its code calls (torch/_dynamo/utils.py), and functions of it.
HELPERS_MODULE = "__import_torch_dot__dynamo_dot_utils"
READING_HELPERS = frozenset([
    "record_pregraph_bytecode_enter", "record_pregraph_bytecode_exit", "call_size", "call_stride",
    "call_storage_offset",
])  # fmt: skip
HELPERS = READING_HELPERS | {
    "dataclass_fields", "dict_getitem", "dict_keys_getitem", "get_torch_function_mode_stack_at", "iter_next",
    "list_getitem", "nn_module_new", "object_delattr_ignore_descriptor", "object_new",
    "object_setattr_ignore_descriptor", "set_getitem", "set_torch_function_mode_stack", "to_numpy_helper",
    "to_subclass", "tuple_iterator_getitem",
}  # fmt: skip
# Until 2.7, Dynamo's code sets attributes by `object.__setattr__`.
_ATTRIBUTES: Mapping[Tuple[object, ...], FrozenSet[str]] = {
    (HELPERS_MODULE,): HELPERS,
    ("__import_builtins",): frozenset(["object"]),
    ("__import_builtins", "object"): frozenset(["__setattr__"]),
}
_LOADS = frozenset(["LOAD_ATTR", "LOAD_GLOBAL", "LOAD_DEREF", "BINARY_SUBSCR"])


def helper(value: Value, name: object) -> Optional[Installed]:
    """The attribute ``name`` of ``value``, where that is a module of Dynamo's that has it for good."""
    if type(value) is Installed and name in _ATTRIBUTES.get(value.parts, ()):
        return Installed(*value.parts, name)
    return None


def only_reads(kind: Sequence[object], operands: Sequence[object]) -> bool:
    """Whether an effect changes nothing that a path leads through."""
    if kind[0] == "CALL":
        function = operands[0]
        return type(function) is Installed and function.parts[1:] != () and function.parts[1] in READING_HELPERS
    return kind[0] in _LOADS


def loaded_before(state: State, kind: Sequence[object], operands: Sequence[Value]) -> Optional[Symbol]:
    """What the same step of a path gave, if nothing happened since but loads."""
    if not state.paths:
        return None
    return state.paths.get(_step(kind, [state.resolve(operand) for operand in operands]))


def remember(state: State, kind: Sequence[object], operands: Sequence[Value], results: Sequence[Symbol]) -> None:
    """Note what a step gave, or that something else happened."""
    if not only_reads(kind, operands):
        if state.paths:
            state.paths = {}
    elif is_step(kind, operands, state.paths):
        state.paths[_step(kind, operands)] = results[0]
        if gives_dictionary(kind, operands):
            state.paths[results[0]] = results[0]


def is_step(kind: Sequence[object], operands: Sequence[object], dictionaries: Container[object]) -> bool:
    """Whether an effect loads one of the dictionaries of an object, or a named item of one of ``dictionaries``."""
    if kind[0] == "LOAD_ATTR":
        return kind[1] in DICTIONARIES
    if kind[0] != "BINARY_SUBSCR":
        return False
    container, key = operands
    return type(container) is Symbol and container in dictionaries and _named(key)


def gives_dictionary(kind: Sequence[object], operands: Sequence[object]) -> bool:
    """Whether what a step gives is one of the dictionaries itself."""
    if kind[0] == "LOAD_ATTR":
        return kind[1] in DICTIONARIES
    return _named(operands[1]) and operands[1].value in DICTIONARIES  # type: ignore[attr-defined]


def _named(key: object) -> bool:
    return type(key) is Const and type(key.value) is str


def _step(kind: Sequence[object], operands: Sequence[object]) -> object:
    return (kind[0], kind[1], operands[0]) if kind[0] == "LOAD_ATTR" else (kind[0], *operands)
