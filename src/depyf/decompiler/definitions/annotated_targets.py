"""Annotations that name no variable: all that tells them is SETUP_ANNOTATIONS in front of the body.

    SETUP_ANNOTATIONS; x.y = 0; int        =>        x.y: int = 0

The annotation of such a target is evaluated and dropped (Doc/reference/simple_stmts.rst, annotated assignments), until
3.13.
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import List, Optional

from depyf.decompiler.definitions.declarations import lacks_annotation
from depyf.decompiler.versions import ANNOTATIONS_ARE_LAZY


def with_annotated_targets(code: CodeType, body: List[ast.stmt]) -> List[ast.stmt]:
    """``body`` of a class or module with an annotated target, if that is what ``code`` is prepared for."""
    if ANNOTATIONS_ARE_LAZY or not lacks_annotation(code, body):
        return body
    for place, (store, annotation) in enumerate(zip(body, body[1:])):
        joined = _joined(store, annotation)
        if joined is not None:
            return [*body[:place], joined, *body[place + 2 :]]
    return body


def _joined(store: ast.stmt, annotation: ast.stmt) -> Optional[ast.stmt]:
    if not isinstance(store, ast.Assign) or len(store.targets) != 1 or not isinstance(annotation, ast.Expr):
        return None
    target = store.targets[0]
    if not isinstance(target, (ast.Name, ast.Attribute, ast.Subscript)):
        return None
    return ast.AnnAssign(target, annotation.value, store.value, 0)
