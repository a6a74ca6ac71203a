"""What the symbol table knows and the instructions do not show: ``global``, ``nonlocal``, and names that only dead
code binds.

A name is local because something binds it, even in code that never runs.  Where the compiler threw that code away,
``if False:`` says it again; the
compiler throws that away, too, and keeps the scope.
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import Iterator, List, Sequence, Set

from depyf.decompiler.definitions.comprehensions import COMPREHENSION_NAMES
from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.decoded import decoded
from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.versions import ANNOTATIONS_ARE_LAZY

CO_OPTIMIZED = 0x1
# Cells that the compiler makes for itself.
_MADE_BY_COMPILER = {"__classdict__", "__conditional_annotations__", ".type_params", ".generic_base"}
CO_GENERATOR_KINDS = 0x20 | 0x200


def declared(code: CodeType, body: List[ast.stmt], around: Sequence[CodeType] = ()) -> List[ast.stmt]:
    """``body`` with the declarations in front that give its names the scopes of ``code``, inside of ``around``."""
    nodes = [node for scope in _with_comprehensions(code) for node in decoded(scope).nodes]
    stored_globals = _stored_globals(nodes) | _globals_despite(around, nodes)
    free = set(code.co_freevars).difference(code.co_cellvars)  # __conditional_annotations__ of nested classes is both
    stored_free = {str(node.arg) for node in nodes if node.op in ("STORE_DEREF", "DELETE_DEREF") and node.arg in free}
    front: List[ast.stmt] = []
    if stored_globals:
        front.append(ast.Global(sorted(stored_globals)))
    names = _Names(body)
    if stored_free:
        stored_free -= _in_comprehensions(body) - names.stored
    if stored_free:
        front.append(ast.Nonlocal(sorted(stored_free)))
    dead = _only_in_dead_code(code, names) + _dead_annotation(code, body)
    if dead:
        front.append(ast.If(ast.Constant(False), dead, []))
    return _behind_first(body, front)


def _behind_first(body: List[ast.stmt], front: List[ast.stmt]) -> List[ast.stmt]:
    """``front`` put behind the docstring and ``__future__`` imports of ``body``."""
    first = 0
    while front and first < len(body) and _stands_first(body[first]):
        first += 1
    return [*body[:first], *front, *body[first:]]


def _globals_despite(around: Sequence[CodeType], nodes: Sequence[Node]) -> Set[str]:
    """Global variables that are read although a function around binds their names."""
    read = {str(node.arg) for node in nodes if node.op == "LOAD_GLOBAL"}
    found: Set[str] = set()
    for outer in around:
        bound = read.intersection(outer.co_varnames + outer.co_cellvars)
        if bound:
            found |= bound - {str(node.arg) for node in decoded(outer).nodes if node.op == "LOAD_FAST_AND_CLEAR"}
    return found


def _with_comprehensions(code: CodeType) -> List[CodeType]:
    """A code object and the comprehensions in it, whose ``:=`` binds names of the scope around them (PEP 572)."""
    found = [code]
    for scope in found:
        found += [
            inner for inner in scope.co_consts if isinstance(inner, CodeType) and inner.co_name in COMPREHENSION_NAMES
        ]
    return found


def declared_in_module(code: CodeType, body: List[ast.stmt]) -> List[ast.stmt]:
    """``body`` of a module with its ``global`` statement, which stands behind the docstring and ``__future__``
    imports.
    """
    nodes = decoded(code).nodes
    names = _stored_globals(nodes) | {str(node.arg) for node in nodes if node.op == "LOAD_GLOBAL"}
    if names:
        # A function that declares a name global makes it so in the module, too (Python/symtable.c, st_global).
        names -= _declared_inside(body)
    front: List[ast.stmt] = [ast.Global(sorted(names))] if names else []
    dead = _dead_annotation(code, body)
    if dead:
        front.append(ast.If(ast.Constant(False), dead, []))
    return _behind_first(body, front)


def _declared_inside(body: Sequence[ast.stmt]) -> Set[str]:
    nodes = [node for statement in body for node in ast.walk(statement)]
    return {name for node in nodes if isinstance(node, ast.Global) for name in node.names}


def _dead_annotation(code: CodeType, body: Sequence[ast.stmt]) -> List[ast.stmt]:
    """An annotation, where dead code or a target that is no name has the only one: it prepares a module or a class."""
    if not lacks_annotation(code, body):
        return []
    if not ANNOTATIONS_ARE_LAZY:
        return ast.parse("_: None").body
    # An annotated name would be one that is evaluated later, which shows.  A class that prepares no set of annotations
    # only keeps its namespace for what is evaluated later.
    return ast.parse("_._: None" if "__conditional_annotations__" in code.co_cellvars else "type _ = None").body


def lacks_annotation(code: CodeType, body: Sequence[ast.stmt]) -> bool:
    """Whether the body of a class or module is prepared for annotations and has none."""
    prepared = any(node.op == "SETUP_ANNOTATIONS" for node in decoded(code).nodes)
    if not prepared and ANNOTATIONS_ARE_LAZY:
        cells = {"__conditional_annotations__", "__classdict__"}.intersection(code.co_cellvars)
        prepared = bool(cells) and not any(cells.intersection(inner.co_freevars) for inner in _nested(code))
    if not prepared:
        return False
    return not any(isinstance(node, ast.AnnAssign) for statement in body for node in _statements_in(statement))


def _statements_in(statement: ast.AST) -> Iterator[ast.AST]:
    """``statement`` and those in it, those of other scopes aside."""
    yield statement
    if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, (ast.stmt, ast.excepthandler)) or type(child).__name__ == "match_case":
                yield from _statements_in(child)


def _stands_first(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant) and isinstance(statement.value.value, str)
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def global_targets(code: CodeType) -> Set[str]:
    """Global variables that a code object, or a comprehension in it, binds or deletes."""
    return _stored_globals([node for scope in _with_comprehensions(code) for node in decoded(scope).nodes])


def _stored_globals(nodes: Sequence[Node]) -> Set[str]:
    return {str(node.arg) for node in nodes if node.op in ("STORE_GLOBAL", "DELETE_GLOBAL")}


def _in_comprehensions(body: List[ast.stmt]) -> Set[str]:
    """Names that comprehensions bind, which are inlined since 3.12."""
    nodes = [node for statement in body for node in ast.walk(statement)]
    targets = [node.target for node in nodes if isinstance(node, ast.comprehension)]
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}


def _only_in_dead_code(code: CodeType, names: _Names) -> List[ast.stmt]:
    binders: List[ast.stmt] = []
    parameters = set(code.co_varnames[: _parameter_count(code)])
    if code.co_flags & CO_OPTIMIZED:
        read = {
            name for name in (*code.co_varnames, *code.co_cellvars) if name in names.used and name not in names.stored
        }
        # Since 3.12 what a comprehension binds is among the locals, too, even if the name means something else
        # elsewhere.
        elsewhere = {node.arg for node in decoded(code).nodes if node.op == "LOAD_GLOBAL"}.union(code.co_freevars)
        read -= parameters.union(elsewhere)
        binders += [ast.Assign([ast.Name(name, ast.Store())], ast.Constant(None), lineno=0) for name in sorted(read)]
    live = _nested(code)
    captured = {name for inner in live for name in inner.co_freevars}
    uncaptured = set(code.co_cellvars) - captured - _MADE_BY_COMPILER
    for name in sorted(uncaptured):
        empty = ast.arguments(
            posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[]
        )
        binders.append(ast.Expr(ast.Lambda(empty, ast.Name(name, ast.Load()))))
    unused = set(code.co_freevars) - names.used - names.stored - captured - _MADE_BY_COMPILER
    if "super" in names.used:
        unused.discard("__class__")
    binders += [ast.Expr(ast.Name(name, ast.Load())) for name in sorted(unused)]
    if code.co_flags & CO_GENERATOR_KINDS and not names.yields:
        binders.append(ast.Expr(ast.Yield(None)))
    return binders


def _nested(code: CodeType) -> List[CodeType]:
    """Code objects that live code of ``code`` makes functions and classes of."""
    constants = [node.arg for node in decoded(code).nodes if node.op == "LOAD_CONST"]
    return [one.value for one in constants if isinstance(one, Const) and isinstance(one.value, CodeType)]


def _parameter_count(code: CodeType) -> int:
    return code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)


class _Names:
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
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            self.stored.add(node.name)
            pending += node.decorator_list
        if isinstance(node, _ALIASES):
            self.stored.add(node.name.id)  # type: ignore[attr-defined]
        elif isinstance(node, _COMPREHENSIONS):
            pending.append(node.generators[0].iter)
        elif isinstance(node, ast.ClassDef) and not getattr(node, "type_params", None):
            pending += [*node.bases, *(keyword.value for keyword in node.keywords)]
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            pending += [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]


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
_SCOPES = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, *_COMPREHENSIONS, *_ALIASES,
)  # fmt: skip
