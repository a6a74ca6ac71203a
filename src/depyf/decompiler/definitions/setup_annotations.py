"""Annotations that name no variable: all that tells them is SETUP_ANNOTATIONS in front of the body.

    SETUP_ANNOTATIONS; x.y = 0; int        =>        x.y: int = 0

The annotation of such a target is evaluated and dropped (Doc/reference/simple_stmts.rst, annotated assignments).
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import List, Optional

from depyf.decompiler.disassemble.decoded import decoded


def with_setup_annotations(code: CodeType, body: List[ast.stmt]) -> List[ast.stmt]:
    """``body`` of a class or module with something annotated in it, if ``code`` is prepared for that."""
    if not any(node.op == "SETUP_ANNOTATIONS" for node in decoded(code).nodes) or _annotates(body):
        return body
    for place, (store, annotation) in enumerate(zip(body, body[1:])):
        joined = _joined(store, annotation)
        if joined is not None:
            return [*body[:place], joined, *body[place + 2 :]]
    return [*body, ast.If(ast.Constant(False), [_nothing_annotated()], [])]


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _annotates(body: List[ast.stmt]) -> bool:
    pending: List[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.AnnAssign):
            return True
        if not isinstance(node, _SCOPES):
            pending += [inner for inner in ast.iter_child_nodes(node) if not isinstance(inner, ast.expr)]
    return False


def _joined(store: ast.stmt, annotation: ast.stmt) -> Optional[ast.stmt]:
    if not isinstance(store, ast.Assign) or len(store.targets) != 1 or not isinstance(annotation, ast.Expr):
        return None
    target = store.targets[0]
    if not isinstance(target, (ast.Name, ast.Attribute, ast.Subscript)):
        return None
    return ast.AnnAssign(target, annotation.value, store.value, 0)


def _nothing_annotated() -> ast.stmt:
    """``_._: None``, which binds no name; in dead code it leaves no other trace."""
    target = ast.Attribute(ast.Name("_", ast.Load()), "_", ast.Store())
    return ast.AnnAssign(target, ast.Constant(None), None, 0)
