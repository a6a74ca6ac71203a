"""Paths through modules as a program writes them, where that is the same object and runs no code but torch's.

    self._modules["layers"]._modules["0"]._parameters["weight"]      =>      self.layers[0].weight

The objects of the frame that is being compiled say whether it is: Dynamo goes through the dictionaries of a module, a
program through its attributes, which a class may find in any way it likes.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import weakref
from collections import Counter, OrderedDict
from contextlib import suppress
from keyword import iskeyword
from types import CodeType
from typing import Any, Collection, Iterable, Iterator, Mapping, NamedTuple, Sequence

from depyf.capture.compiling import compiling
from depyf.capture.graph_calls import with_arguments_in_place
from depyf.capture.seams import MODULE
from depyf.decompiler.trees import nodes_of

DICTIONARIES = ("_parameters", "_buffers", "_modules")
# Where torch's own containers of modules and parameters are defined.
_CONTAINERS = "torch.nn.modules.container"
# The variable at which the path of a remark starts.
_ROOT = re.compile(r"(\w+)[.\[]")

Roots = Mapping[str, "weakref.ref[Any]"]


def modules_of(code: CodeType) -> Roots:
    """The modules among the local and free variables of the frame that is being compiled, by name."""
    frame = next((variables for variables in compiling() if variables.get("code") is code), {})
    found, closure = frame.get("locals"), frame.get("closure")
    listed = dict(found) if isinstance(found, dict) else {}
    for name, cell in zip(code.co_freevars, closure if isinstance(closure, tuple) else ()):
        with suppress(ValueError):  # an empty cell
            listed[name] = cell.cell_contents
    return {name: weakref.ref(value) for name, value in listed.items() if _is_module(value)}


class Paths(NamedTuple):
    """The longest certain paths in a program, and the variables that they may start at. They stay where they are while
    only comments come and go."""

    found: Sequence[tuple[ast.expr, str]]
    roots: Collection[str]


def paths_in(source: str, roots: Roots) -> Paths:
    """Those of ``source``, from the modules that are alive."""
    alive = {name: module for name, module in ((name, root()) for name, root in roots.items()) if module is not None}
    return Paths(_found(source, alive) if alive else (), frozenset(alive))


def as_written(source: str, paths: Paths) -> str:
    """``source`` with each path that is certain as a program writes it, and in the place where a graph takes it."""
    lines = source.split("\n")
    for node, text in sorted(paths.found, key=lambda each: (each[0].lineno, -each[0].col_offset)):
        if node.lineno == node.end_lineno:
            line = lines[node.lineno - 1].encode("utf-8")
            before, after = line[: node.col_offset].decode("utf-8"), line[node.end_col_offset :].decode("utf-8")
            # The comment that said the same is no longer needed.
            lines[node.lineno - 1] = before + text + after.replace(f"  # {text}", "")
    return with_arguments_in_place("\n".join(lines), {text for _, text in paths.found})


def with_certain_remarks(source: str, paths: Paths) -> str:
    """``source`` without the remarks beside paths that lead elsewhere, or through code that is not torch's."""
    certain = {text for _, text in paths.found}
    lines = source.split("\n")
    for number, line in enumerate(lines):
        code, _, remark = line.rpartition("  # ")
        root = _ROOT.match(remark)
        if root and root[1] in paths.roots and remark not in certain and any(name in code for name in DICTIONARIES):
            lines[number] = code
    return "\n".join(lines)


def _found(source: str, alive: Mapping[str, Any]) -> Sequence[tuple[ast.expr, str]]:
    nodes = list(nodes_of(ast.parse(source)))
    rebound = Counter(_rebound(nodes))
    steps = {name: _Step(module, name) for name, module in alive.items() if name not in rebound}
    return _Finder(steps).found_in(nodes, rebound)


def _rebound(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Names that mean something else than the function's argument somewhere in it, once for each place."""
    arguments: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.arg):
            if node.arg in arguments:
                yield node.arg
            arguments.add(node.arg)


class _Step(NamedTuple):
    """A module or parameter, and how a program writes it; ``inside`` is the dictionary that was asked for last."""

    value: Any
    text: str
    inside: str | None = None


class _Finder:
    """The longest certain paths in a program, from the modules that ``steps`` begins with."""

    def __init__(self, steps: dict[str, _Step]) -> None:
        self._steps = steps
        self._children: dict[tuple[str, str | None, str], _Step | None] = {}
        self._plain: dict[type, bool] = {}

    def found_in(self, nodes: Iterable[ast.AST], stored: Counter[str]) -> list[tuple[ast.expr, str]]:
        """Expressions with how a program writes them; ``stored`` says how often each name is bound."""
        self._take_aliases(nodes, stored)
        found: list[tuple[ast.expr, str]] = []
        inside: set[ast.AST] = set()
        for node in nodes:  # what is around an expression comes first
            if isinstance(node, ast.Subscript) and node not in inside:
                step = self._path(node)
                if step is not None and step.inside is None:
                    found.append((node, step.text))
                    inside.update(nodes_of(node))
        return found

    def _take_aliases(self, nodes: Iterable[ast.AST], stored: Counter[str]) -> None:
        """Variables that hold a dictionary on the way, and nothing else: ``modules = self.layers._modules``."""
        for node in nodes:
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            if isinstance(node, ast.Assign) and isinstance(target, ast.Name) and stored[target.id] == 1:
                step = self._path(node.value)
                if step is not None and step.inside:
                    self._steps[target.id] = step

    def _path(self, node: ast.expr) -> _Step | None:
        if isinstance(node, ast.Name):
            return self._steps.get(node.id)
        if isinstance(node, ast.Attribute) and node.attr in DICTIONARIES:
            before = self._path(node.value)
            return None if before is None or before.inside else before._replace(inside=node.attr)
        if isinstance(node, ast.Attribute):
            before = self._path(node.value)
            return None if before is None or before.inside else self._child(before, node.attr)
        key = _key(node)
        before = self._path(node.value) if isinstance(node, ast.Subscript) and key is not None else None
        if before is None or before.inside is None:
            return self._through_namespace(node)
        return self._child(before, str(key))

    def _child(self, before: _Step, name: str) -> _Step | None:
        """Most paths begin alike: each step is looked up once."""
        key = (before.text, before.inside, name)
        if key not in self._children:
            look = _child if before.inside else _attribute
            self._children[key] = look(before, name) if self._is_plain(before.value) else None
        return self._children[key]

    def _is_plain(self, module: Any) -> bool:
        kind = type(module)
        if kind not in self._plain:
            self._plain[kind] = _is_module(module) and _finds_plainly(kind)
        return self._plain[kind]

    def _through_namespace(self, node: ast.expr) -> _Step | None:
        """``x.__dict__["_modules"]``"""
        if _key(node) not in DICTIONARIES or not isinstance(node, ast.Subscript):
            return None
        namespace = node.value
        if not isinstance(namespace, ast.Attribute) or namespace.attr != "__dict__":
            return None
        before = self._path(namespace.value)
        return None if before is None or before.inside else before._replace(inside=_key(node))


def _key(node: ast.expr) -> str | None:
    """The constant string between the brackets."""
    part: Any = getattr(node, "slice", None)
    if sys.version_info < (3, 9) and isinstance(part, ast.Index):
        part = part.value
    return part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else None


def _child(before: _Step, name: str) -> _Step | None:
    """What a dictionary of a plain module holds, as a program asks for it; None where that is not certain."""
    module, kind = before.value, type(before.value)
    held = _held(module)
    child = held[before.inside].get(name) if before.inside in held else None
    if child is None:
        return None
    if name.isidentifier() and not iskeyword(name):
        return _Step(child, f"{before.text}.{name}") if _is_attribute(module, held, name, child) else None
    if getattr(getattr(kind, "__getitem__", None), "__module__", None) != _CONTAINERS:
        return None
    key: Any = int(name) if name.isdecimal() and not hasattr(kind, "keys") else name
    return _Step(child, f"{before.text}[{key!r}]") if _item(module, key) is child else None


def _attribute(before: _Step, name: str) -> _Step | None:
    """A child of a plain module that is asked for as a program does it."""
    module = before.value
    held = _held(module)
    child = next((held[each][name] for each in held if name in held[each]), None)
    return (
        _Step(child, f"{before.text}.{name}")
        if child is not None and _is_attribute(module, held, name, child)
        else None
    )


def _held(module: Any) -> dict[str, Any]:
    """The dictionaries that a module keeps its parts in, without those that have code of their own."""
    found = ((name, vars(module).get(name)) for name in DICTIONARIES)
    return {name: each for name, each in found if type(each) in (dict, OrderedDict)}


def _is_attribute(module: Any, held: Mapping[str, Any], name: str, child: Any) -> bool:
    """Whether the attribute is this child, by the rules of ``torch.nn.Module.__getattr__``."""
    if name in vars(module) or any(name in vars(each) for each in type(module).__mro__):
        return False
    complete = len(held) == len(DICTIONARIES)
    return complete and next((held[each][name] for each in DICTIONARIES if name in held[each]), None) is child


def _is_module(value: Any) -> bool:
    # Asks the type: isinstance() asks the object for its __class__, which a proxy answers with code of its own.
    kind = MODULE.find()
    return kind is not None and issubclass(type(value), kind)


def _finds_plainly(kind: type) -> bool:
    """Whether a class leaves it to torch how attributes are found."""
    torchs = MODULE.find()
    return inspect.getattr_static(kind, "__getattr__", None) is inspect.getattr_static(
        torchs, "__getattr__", None
    ) and inspect.getattr_static(kind, "__getattribute__") is inspect.getattr_static(object, "__getattribute__")


def _item(container: Any, key: Any) -> Any:
    try:
        return container[key]
    except (LookupError, TypeError, AttributeError):
        return None
