"""Class bodies: the statements between what the compiler adds in front and behind.

__module__ = __name__                         class A(B):
__qualname__ = 'A'              =>                x = 1
x = 1
return None
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import TYPE_CHECKING, Dict, List, Sequence, Set

from depyf.decompiler.definitions.annotated_targets import with_annotated_targets
from depyf.decompiler.definitions.annotations import with_annotations
from depyf.decompiler.definitions.declarations import declared
from depyf.decompiler.definitions.private_names import with_private_names
from depyf.decompiler.definitions.tidy import annotated_assignments, without_final_return
from depyf.decompiler.lift.pattern_trees import is_wildcard
from depyf.decompiler.lift.resolve import Resolver
from depyf.decompiler.lift.values import Class
from depyf.decompiler.versions import CLASSES_DESCRIBE_THEMSELVES

if TYPE_CHECKING:
    from depyf.decompiler.definitions.assemble import Assembler

# What the compiler stores in front of every class body, and behind it (Python/compile.c, compiler_class_body); none of
# that is written in the source, though the body may store the same names once more.
_IN_FRONT = {"__module__", "__qualname__", *(["__firstlineno__"] if CLASSES_DESCRIBE_THEMSELVES else [])}
_BEHIND = {"__static_attributes__"} if CLASSES_DESCRIBE_THEMSELVES else set()
# What it stores only for a class with this cell, or this free variable.
_FOR_CELL = {"__class__": "__classcell__", "__classdict__": "__classdictcell__"}
_WITH_ARMS = (ast.If, ast.With, ast.Try)
_FOR_FREE_VARIABLE = {".type_params": "__type_params__"}


def class_definition(
    assembler: Assembler, value: Class, decorators: Sequence[ast.expr], resolver: Resolver
) -> ast.stmt:
    """A ``class``."""
    body = class_body(assembler, value)
    bases = [resolver.visit(base) for base in value.bases]
    keywords = [ast.keyword(keyword.arg, resolver.visit(keyword.value)) for keyword in value.keywords]
    made = ast.ClassDef(name=value.name, bases=bases, keywords=keywords, body=body, decorator_list=list(decorators))
    if "type_params" in ast.ClassDef._fields:
        made.type_params = []  # type: ignore[attr-defined]
    return made


def class_body(assembler: Assembler, value: Class) -> List[ast.stmt]:
    """The statements of a class as its source has them."""
    code = value.body.code
    raw = without_final_return(assembler.statements(code))
    statements = _written(code, raw)
    if statements and isinstance(statements[-1], ast.Return):
        statements.pop()
    statements = with_annotations(statements)
    first = statements[0] if statements else None
    if isinstance(first, ast.Assign) and isinstance(first.value, ast.Constant) and _target(first) == "__doc__":
        statements[0] = ast.Expr(first.value)
    body = with_annotated_targets(code, annotated_assignments(statements))
    body = declared(code, body, assembler.around) or [ast.Pass()]
    with_private_names(value.name, body, _static_attributes(raw))
    return body


def _static_attributes(body: List[ast.stmt]) -> Sequence[str]:
    for statement in body:
        value = statement.value if isinstance(statement, ast.Assign) else None
        if _target(statement) == "__static_attributes__" and isinstance(value, ast.Tuple):
            return [name.value for name in value.elts if isinstance(name, ast.Constant)]
    return []


def _target(statement: ast.stmt) -> str:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    return ""


def _written(code: CodeType, body: List[ast.stmt]) -> List[ast.stmt]:
    """The statements of a class body without what the compiler added."""
    in_front = _IN_FRONT | {_FOR_FREE_VARIABLE.get(name, "") for name in code.co_freevars}
    in_front |= {"__classdict__"}.intersection(code.co_cellvars)
    behind = _BEHIND | {_FOR_CELL.get(name, "") for name in code.co_cellvars}
    implicit: Dict[str, int] = {}
    for number, statement in enumerate(body):
        name = _target(statement)
        if name and name in in_front:
            implicit.setdefault(name, number)
        elif name and name in behind:
            implicit[name] = number
    added = set(implicit.values())
    written = [statement for number, statement in enumerate(body) if number not in added]
    _drop_at_ends(written, behind.difference(implicit))
    return written


def _drop_at_ends(body: List[ast.stmt], names: Set[str]) -> None:
    """Take out what is stored in ``names`` where a class ends within its last statement: other ways there raise."""
    if not body or not names:
        return
    for arm in _arms(body[-1]):
        while arm and _target(arm[-1]) in names:
            arm.pop()
        _drop_at_ends(arm, names)
    _fill(body[-1])


def _arms(statement: ast.stmt) -> List[List[ast.stmt]]:
    """The blocks of a statement behind which the class may end."""
    cases = getattr(statement, "cases", [])
    if cases:
        return [case.body for case in cases]
    if not isinstance(statement, _WITH_ARMS):
        return []
    handlers = [handler.body for handler in getattr(statement, "handlers", [])]
    return [statement.body, getattr(statement, "orelse", []), *handlers]


def _fill(statement: ast.stmt) -> None:
    """Let no block be empty; a last ``case _`` that has nothing to do was never written."""
    cases = getattr(statement, "cases", [])
    if len(cases) > 1 and not cases[-1].body and is_wildcard(cases[-1]):
        cases.pop()
    for block in [statement, *cases, *getattr(statement, "handlers", [])]:
        if getattr(block, "body", None) == []:
            block.body.append(ast.Pass())
