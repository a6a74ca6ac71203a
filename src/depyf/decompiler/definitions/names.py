"""Which names statements use and bind, and which code objects are nested in one."""

from __future__ import annotations

import ast
from types import CodeType
from typing import Iterator, List, Sequence, Set, Union

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.decoded import decoded
from depyf.decompiler.versions import ANNOTATIONS_ARE_LAZY, COMPREHENSIONS_INLINED


def nested_codes(code: CodeType) -> List[CodeType]:
    """Code objects that live code of ``code`` makes functions and classes of."""
    constants = [node.arg for node in decoded(code).nodes if node.op == "LOAD_CONST"]
    return [one.value for one in constants if isinstance(one, Const) and isinstance(one.value, CodeType)]


def names_of_comprehensions(body: List[ast.stmt]) -> Set[str]:
    """Names that comprehensions bind, which are inlined since 3.12."""
    targets = [node.target for node in _own_nodes(body) if isinstance(node, ast.comprehension)]
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}


def _own_nodes(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """What ``ast.walk`` finds, the bodies of functions and classes aside."""
    pending = list(body)
    while pending:
        node = pending.pop()
        yield node
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                pending.append(value)
            elif isinstance(value, list) and not (name == "body" and isinstance(node, _DEFINITIONS)):
                pending += [item for item in value if isinstance(item, ast.AST)]


Collecting = Union[ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp]


class Names:
    """Names that statements use and bind, those of nested functions aside."""

    def __init__(self, body: List[ast.stmt]) -> None:
        self.used: Set[str] = set()
        self.stored: Set[str] = set()
        self.yields = False
        self._collect(list(body))

    def _collect(self, pending: List[ast.AST]) -> None:
        while pending:
            node = pending.pop()
            if isinstance(node, ast.Name):
                (self.used if isinstance(node.ctx, ast.Load) else self.stored).add(node.id)
            elif isinstance(node, (ast.Yield, ast.YieldFrom)):
                self.yields = True
            elif isinstance(node, ast.ExceptHandler) and node.name:
                self.stored.add(node.name)
            elif isinstance(node, ast.alias):
                self.stored.add((node.asname or node.name).partition(".")[0])
            elif type(node).__name__ in _CAPTURES:
                self.stored.add(getattr(node, _CAPTURES[type(node).__name__]))
            if isinstance(node, _SCOPES):
                self._collect_scope(node, pending)
            else:
                pending += _parts(node)

    def _collect_scope(self, node: ast.AST, pending: List[ast.AST]) -> None:
        """A nested scope has its own names; its decorators, defaults, bases and first iterable belong to this one."""
        if isinstance(node, _DEFINITIONS):
            self.stored.add(node.name)
            pending += node.decorator_list
        if isinstance(node, _ALIASES):
            self.stored.add(node.name.id)  # type: ignore[attr-defined]
        elif isinstance(node, _COMPREHENSIONS):
            pending.append(node.generators[0].iter)
            self._collect_inside(node)
        elif isinstance(node, ast.ClassDef) and not getattr(node, "type_params", None):
            pending += [*node.bases, *(keyword.value for keyword in node.keywords)]
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            pending += [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not _annotates_inside(node):
            arguments = [part for part in ast.walk(node.args) if isinstance(part, ast.arg)]
            annotations = [node.returns, *(argument.annotation for argument in arguments)]
            pending += [annotation for annotation in annotations if annotation is not None]

    def _collect_inside(self, node: Collecting) -> None:
        """The names of a comprehension that belong to the scope around it: those that ``:=`` binds, and where it is
        inlined those that it does not bind.
        """
        inside = Names([])
        targets = [generator.target for generator in node.generators]
        iterables = [generator.iter for generator in node.generators[1:]]
        conditions = [condition for generator in node.generators for condition in generator.ifs]
        elements = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        inside._collect([*targets, *iterables, *conditions, *elements])
        bound = {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}
        self.stored |= inside.stored - bound
        if COMPREHENSIONS_INLINED and not isinstance(node, ast.GeneratorExp):
            self.used |= inside.used - bound


def _annotates_inside(node: ast.AST) -> bool:
    """Whether the annotations of a function are computed in a scope of their own."""
    return ANNOTATIONS_ARE_LAZY or bool(getattr(node, "type_params", None))


_NO_NAMES = (ast.Constant, ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop)


def _parts(node: ast.AST) -> List[ast.AST]:
    """The children of a node, those aside that hold no names."""
    found: List[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            found += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST) and not isinstance(value, _NO_NAMES):
            found.append(value)
    return found


_ALIASES = (ast.TypeAlias,) if hasattr(ast, "TypeAlias") else ()
# Patterns that bind a name, and the field that has it: the oldest supported Python has no classes for them.
_CAPTURES = {"MatchAs": "name", "MatchStar": "name", "MatchMapping": "rest"}

_COMPREHENSIONS = (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SCOPES = (*_DEFINITIONS, ast.Lambda, *_COMPREHENSIONS, *_ALIASES)
