"""Identifiers for everything that printed code names, and what has to be put back after compiling.

attribute "0"            ->  _name_0        put back into co_names
constant torch.float32   ->  __const_torch_float32  put back into co_consts
local tmp_2, needed twice  ->  tmp_2, tmp_2_1
"""

from __future__ import annotations

import builtins
import keyword
import re
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Dict, Iterator, List, Optional, Set

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.graph import Graph
from depyf.decompiler.lift.dataflow.descriptions import NAMELESS
from depyf.decompiler.symbolic.machine import parameters

# Types of torch whose text says all of a value.
_TOLD_BY_REPR = {("torch", name) for name in ("dtype", "device", "Size", "layout", "memory_format")}
_LONGEST = 40
_NAMED = (type, FunctionType, BuiltinFunctionType, ModuleType)


# What Dynamo calls a local that has no name (torch/_dynamo/codegen.py: PyCodegen.new_var), and values without any name.
TEMPORARY = re.compile(r"(tmp_\d+)?\Z")
# Operations whose operand is a variable that is no local of the function.
_VARIABLES = frozenset(["LOAD_GLOBAL", "STORE_GLOBAL", "DELETE_GLOBAL", "LOAD_NAME", "STORE_NAME", "DELETE_NAME"])


class Names:
    """The names of one function.

    ``restored`` maps printed identifiers to the names that the code object has to have, ``objects`` printed
    identifiers to constants that no literal can say, ``functions`` the printed name of a nested function to its code
    object.
    """

    def __init__(self, graph: Graph, temp_prefix: str = "") -> None:
        code = graph.code
        self.restored: Dict[str, str] = {}
        self.objects: Dict[str, object] = {}
        self.functions: Dict[str, CodeType] = {}
        self.nested: List[CodeType] = []
        self.kept: Set[str] = set()
        self._temp_prefix = temp_prefix
        self._printed: Dict[str, str] = {}
        self._objects: Dict[Const, str] = {}
        self._globals: Dict[str, str] = {}
        self._local = set(parameters(code)) | set(code.co_cellvars) | set(code.co_freevars)
        self.taken: Set[str] = self._local.union(str(node.arg) for node in graph.nodes if node.op in _VARIABLES)
        # A local must not hide what a nested function means by a name.
        self.taken.update(name for nested in nested_codes(code) for name in nested.co_names)

    def identifier(self, name: str) -> str:
        """``name`` itself, or a stand-in where source cannot say it."""
        if name.isidentifier() and not keyword.iskeyword(name):
            return name
        if name not in self._printed:
            safe = "_name_" + re.sub(r"\W", "_", name)
            self._printed[name] = self.unused(safe)
            self.restored[self._printed[name]] = name
        return self._printed[name]

    def global_variable(self, name: str) -> str:
        """A global, under another name where a parameter or cell hides it."""
        if name not in self._local:
            return self.identifier(name)
        if name not in self._globals:
            self._globals[name] = self.unused(f"_global_{self.identifier(name)}")
            self.restored[self._globals[name]] = name
        return self._globals[name]

    def constant(self, const: Const) -> str:
        """The name of a constant that is no literal."""
        if const not in self._objects:
            name = self.unused("__const_" + re.sub(r"\W+", "_", _word_for(const.value)).strip("_")[:_LONGEST])
            self._objects[const] = name
            self.objects[name] = const.value
        return self._objects[const]

    def function(self, code: CodeType) -> str:
        """The printed name of a nested function."""
        name = self.unused(identifier_of(code))
        self.functions[name] = code
        return name

    def unused(self, name: str) -> str:
        """``name``, with a number if it is taken; it is taken from here on."""
        found, number = name, 1
        while found in self.taken:
            found = f"{name}_{number}"
            number += 1
        self.taken.add(found)
        return found

    def wanted(self, hint: Optional[str], described: str) -> str:
        """The name a local should have: the one that the original stores it to, or one that tells what it holds."""
        named = hint is not None and not TEMPORARY.match(hint)
        if hint is not None and (named or described in NAMELESS):
            return self.identifier(hint)
        if described in NAMELESS and self._temp_prefix:
            return self._temp_prefix + "1"
        return described + "_" if hasattr(builtins, described) else self.identifier(described)


def _word_for(value: object) -> str:
    """What a constant is called that no literal can say."""
    if isinstance(value, CodeType):
        return value.co_name
    if isinstance(value, _NAMED):
        return value.__name__
    kind = type(value)
    # Other objects may have a __repr__ of their own, which is not to run.
    return repr(value) if (kind.__module__, kind.__name__) in _TOLD_BY_REPR else kind.__name__


def nested_codes(code: CodeType) -> Iterator[CodeType]:
    """All code objects inside of ``code``."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from nested_codes(constant)


def identifier_of(code: CodeType) -> str:
    """The name of a code object as an identifier: ``<lambda>`` is ``lambda_``."""
    name = re.sub(r"\W+", "_", code.co_name).strip("_")
    return f"{name}_" if keyword.iskeyword(name) or not name.isidentifier() else name
