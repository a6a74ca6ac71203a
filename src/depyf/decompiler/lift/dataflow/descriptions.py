"""What values are called that have no name, and what is said beside them.

__compiled_fn_1(x)                                graph_out
graph_out[2]                                      graph_out_2
self._modules["layers"]._modules["0"]             layers_0                 # self.layers[0]
"""

from __future__ import annotations

import ast
import re
from typing import Any, Dict, Mapping, NamedTuple, Optional, Sequence

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.emit import emit
from depyf.decompiler.lift.dataflow.events import Operation
from depyf.decompiler.lift.dataflow.shown import Shown
from depyf.decompiler.symbolic.paths import DICTIONARIES
from depyf.decompiler.symbolic.values import Installed, Symbol

# Names that say nothing about a value.
NAMELESS = frozenset(["value", "item", "items", "call_result"])
# What functions of Dynamo's give, by their names.
_NOUNS = {
    "record_pregraph_bytecode_enter": "mark", "call_size": "size", "call_stride": "stride",
    "call_storage_offset": "storage_offset",
}  # fmt: skip
MARK = "Dynamo's mark for profilers"
_MARKS = frozenset(["record_pregraph_bytecode_enter", "record_pregraph_bytecode_exit"])
# How Dynamo's code sets attributes, and what a variable for the result of a graph is called.
SETS_ATTRIBUTE = frozenset(["object_setattr_ignore_descriptor", "__setattr__"])
GRAPH_OUTPUT = "graph_out"
_LONGEST_NAME = 60
_LONGEST_REMARK = 80


class Path(NamedTuple):
    """How a program writes what was loaded step by step.

    ``dictionary`` says that the value is a dictionary in which the object keeps attributes, not the object itself;
    ``shortened`` that such a dictionary is on the way.
    """

    text: str
    dictionary: bool = False
    shortened: bool = False


class Descriptions:
    """Words for the values of one function."""

    def __init__(self, arguments: Mapping[Symbol, str]) -> None:
        self.names: Dict[Symbol, str] = dict(arguments)
        self._paths = {symbol: Path(name) for symbol, name in arguments.items()}

    def describe(self, event: Operation) -> str:
        """A name for the result of an operation: what was called, which attribute, which item."""
        path = _path(event.kind, event.operands, self._paths)
        if path is not None and event.results:
            self._paths[event.results[0]] = path
            if path.shortened:
                return _name_of(path)
        return _described(event.kind, event.operands, self.names)

    def remark(self, event: Operation) -> Optional[str]:
        """What to say beside the statement that is printed for an operation."""
        if event.kind[0] == "CALL" and type(event.operands[0]) is Installed:
            return MARK if event.operands[0].parts[-1] in _MARKS else None
        path = self._paths.get(event.results[0]) if event.results else None
        return path.text if path is not None and path.shortened and not path.dictionary else None


def stored_by_helper(event: Operation, expression: ast.expr) -> Optional[str]:
    """The assignment that a call of Dynamo's helper for attributes does: ``x.name = value``."""
    function = event.operands[0] if event.kind[0] == "CALL" else None
    if type(function) is not Installed or function.parts[-1] not in SETS_ATTRIBUTE:
        return None
    if not isinstance(expression, ast.Call) or len(expression.args) != 3:
        return None
    target, name, value = expression.args
    if not isinstance(name, ast.Constant) or not str(name.value).isidentifier():
        return None
    text = f"{emit(target)[:-1]}.{name.value} = {emit(value)[:-1]}"
    return text if "\n" not in text and len(text) <= _LONGEST_REMARK else None


def _path(kind: Sequence[Any], operands: Sequence[Shown], paths: Mapping[Symbol, Path]) -> Optional[Path]:
    if kind[0] in ("LOAD_GLOBAL", "LOAD_DEREF"):
        return Path(kind[1])
    base = paths.get(operands[0]) if operands and isinstance(operands[0], Symbol) else None
    if base is None:
        return None
    if kind[0] == "LOAD_ATTR" and not base.dictionary:
        if kind[1] in DICTIONARIES:
            return Path(base.text, dictionary=True, shortened=True)
        return base._replace(text=f"{base.text}.{kind[1]}")
    key = operands[1] if kind[0] == "BINARY_SUBSCR" else None
    if type(key) is not Const or type(key.value) not in (str, int):
        return None
    return _item(base, key.value)


def _item(base: Path, key: object) -> Path:
    if not base.dictionary:
        return base._replace(text=f"{base.text}[{key!r}]")
    if key in DICTIONARIES:
        return base
    step = f".{key}" if str(key).isidentifier() else f"[{key}]" if str(key).isdigit() else f"[{key!r}]"
    return Path(base.text + step, shortened=True)


def _name_of(path: Path) -> str:
    """``self.layers[0].weight``  =>  ``layers_0_weight``"""
    words = re.findall(r"\w+", path.text)
    name = "_".join(words[1:] if words[0] == "self" and len(words) > 1 else words)
    return name[-_LONGEST_NAME:].lstrip("_0123456789") or "value"


def _described(kind: Sequence[Any], operands: Sequence[Shown], names: Mapping[Symbol, str]) -> str:
    if kind[0] in ("LOAD_ATTR", "LOAD_GLOBAL", "LOAD_DEREF"):
        return str(kind[1])
    first = _word(operands[0], names) if operands else ""
    if kind[0] == "BINARY_SUBSCR":
        return f"{first or 'item'}_{_index_name(operands[1])}" if first not in NAMELESS else "item"
    if kind[0] in ("CALL", "CALL_EX"):
        noun = _NOUNS.get(str(operands[0].parts[-1])) if type(operands[0]) is Installed else None
        if noun is not None:
            return "_".join(part for part in _measured(operands[1:], names, noun) if part)
        if first in ("__new__", "object_new"):
            # The class is the first argument.
            return f"new_{_word(operands[1], names) or 'object'}" if len(operands) > 1 else "new_object"
        return f"{first.strip('_') or 'call'}_result"
    return "items" if kind[0] in ("ITERATE", "MERGE") else "value"


def _measured(operands: Sequence[Shown], names: Mapping[Symbol, str], noun: str) -> Sequence[str]:
    """What a size is the size of, and of which dimension."""
    return [*(_word(shown, names) for shown in operands[:1]), noun, *(_index_name(shown) for shown in operands[1:])]


def _word(shown: Shown, names: Mapping[Symbol, str]) -> str:
    if isinstance(shown, Symbol):
        return names.get(shown, "")
    if isinstance(shown, Installed):
        name = str(shown.parts[0])
        return GRAPH_OUTPUT if name.startswith("__compiled_fn_") else str(shown.parts[1]) if shown.parts[1:] else ""
    return ""


def _index_name(index: Shown) -> str:
    if type(index) is Const and type(index.value) in (int, str) and re.match(r"\w{1,30}\Z", str(index.value)):
        return str(index.value)
    return "item"
