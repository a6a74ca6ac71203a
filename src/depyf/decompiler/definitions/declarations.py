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
from depyf.decompiler.definitions.dead_code import MADE_BY_COMPILER, binder, dead_statements
from depyf.decompiler.definitions.names import Names, names_of_comprehensions, nested_codes
from depyf.decompiler.disassemble.decoded import decoded
from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.versions import ANNOTATIONS_ARE_LAZY


def declared(code: CodeType, body: List[ast.stmt], around: Sequence[CodeType] = ()) -> List[ast.stmt]:
    """``body`` with the declarations in front that give its names the scopes of ``code``, inside of ``around``."""
    nodes = [node for scope in _with_comprehensions(code) for node in decoded(scope).nodes]
    stored_globals = _stored_globals(nodes) | _despite(around, nodes, "LOAD_GLOBAL")
    # __conditional_annotations__ of a class in a class is both free and its own, and its own is what it stores in.
    free = set(code.co_freevars) - MADE_BY_COMPILER.intersection(code.co_cellvars)
    stored_free = {str(node.arg) for node in nodes if node.op in ("STORE_DEREF", "DELETE_DEREF") and node.arg in free}
    front: List[ast.stmt] = []
    if stored_globals:
        front.append(ast.Global(sorted(stored_globals)))
    names = Names(body)
    if stored_free:
        stored_free -= names_of_comprehensions(body) - names.stored
    if stored_free:
        front.append(ast.Nonlocal(sorted(stored_free)))
    # A class that reads such a name from its namespace binds it, if only in dead code.
    dead = [binder(name) for name in sorted(_despite(around, nodes, "LOAD_NAME") - names.stored)]
    dead += dead_statements(code, body, names) + (_dead_annotation(code, body) or _dead_alias(code))
    if dead:
        front.append(ast.If(ast.Constant(False), dead, []))
    return _behind_first(body, front)


def _behind_first(body: List[ast.stmt], front: List[ast.stmt]) -> List[ast.stmt]:
    """``front`` put behind the docstring and ``__future__`` imports of ``body``."""
    first = 0
    while front and first < len(body) and _stands_first(body[first]):
        first += 1
    return [*body[:first], *front, *body[first:]]


def _despite(around: Sequence[CodeType], nodes: Sequence[Node], op: str) -> Set[str]:
    """Names that ``op`` reads, which is no free variable, although a function around binds them."""
    read = {str(node.arg) for node in nodes if node.op == op}
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


def _dead_alias(code: CodeType) -> List[ast.stmt]:
    """An alias, where only dead code of a class holds what keeps its namespace: scopes of type parameters."""
    if "__classdict__" not in code.co_cellvars or any(
        "__classdict__" in inner.co_freevars for inner in nested_codes(code)
    ):
        return []
    return ast.parse("type _ = None").body


def lacks_annotation(code: CodeType, body: Sequence[ast.stmt]) -> bool:
    """Whether the body of a class or module is prepared for annotations and has none."""
    prepared = any(node.op == "SETUP_ANNOTATIONS" for node in decoded(code).nodes)
    if not prepared and ANNOTATIONS_ARE_LAZY:
        cells = {"__conditional_annotations__", "__classdict__"}.intersection(code.co_cellvars)
        prepared = bool(cells) and not any(cells.intersection(inner.co_freevars) for inner in nested_codes(code))
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
