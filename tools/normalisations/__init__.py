"""What compiling forgets: pairs of ways to write one program that no bytecode tells apart.

    if not (a or b): return         if not a and not b: return
    else: c()                  =    c()

Two programs *read* the same when their trees are equal after every rule of this file; ``docs/normalisations.md`` lists
them.  A rule belongs here only if the compiler keeps nothing that would tell its two sides apart.  What a rule forgives
is style; that two programs *do* the same is not proved here.
"""

from __future__ import annotations

import ast
import difflib
import re
import sys
from pathlib import Path
from typing import Any, Optional

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "src"))

from depyf.decompiler.emit import EmitError, emit
from normalisations.blocks import docstring, is_docstring, without_tail
from normalisations.document import written_list
from normalisations.names import Mangler
from normalisations.rules import BLOCKS, EXPRESSIONS, FUNCTIONS, LOOPS, SCOPES, Statements, rewritten
from normalisations.statements import without_annotation

__all__ = ["dumped", "normalised", "reads_as", "written_list"]

# Rules make room for each other; this many rounds were never needed.
ROUNDS = 12


def reads_as(written: str, printed: str) -> Optional[str]:
    """None when the two texts are one program in the reader's eyes, else the lines that differ after all rules."""
    one, other = (normalised(ast.parse(text)) for text in (written, printed))
    if dumped(one) == dumped(other):
        return None
    lines = (_shown(tree).splitlines() for tree in (one, other))
    return "\n".join(list(difflib.unified_diff(*lines, "written", "printed", lineterm=""))[2:])


def _shown(tree: ast.Module) -> str:
    """The text of a tree; what a rule makes of ``%`` may have none before Python 3.12."""
    try:
        return emit(tree)
    except EmitError:
        return "\n".join(dumped(statement) for statement in tree.body)


def dumped(tree: ast.AST) -> str:
    """The tree as text; Python 3.8 shows fields that nothing was put into, too."""
    return re.sub(r", (?:kind|type_comment)=None", "", ast.dump(tree))


def normalised(tree: ast.Module) -> ast.Module:
    """``tree``, changed in place, after every rule; rules are repeated until none has anything to say."""
    Mangler().visit(tree)
    before = ""
    for _round in range(ROUNDS):
        _Rewriter().visit(tree)
        after = dumped(tree)
        if after == before:
            break
        before = after
    return tree


class _Rewriter(ast.NodeTransformer):
    """One pass of all rules, innermost nodes first."""

    def __init__(self) -> None:
        self.in_function = False

    def visit(self, node: ast.AST) -> Any:
        outer = self.in_function
        if isinstance(node, (*SCOPES, ast.Lambda)):
            self.in_function = not isinstance(node, ast.ClassDef)
        self.generic_visit(node)
        if isinstance(node, ast.AnnAssign) and self.in_function:
            return without_annotation(node)
        self.in_function = outer
        for rule in EXPRESSIONS:
            if isinstance(node, rule.types):
                node = rule.rewrite(node) or node
        return (
            self._with_blocks(node)
            if isinstance(node, (ast.Module, ast.stmt, ast.ExceptHandler)) or _is_case(node)
            else node
        )

    def _with_blocks(self, node: Any) -> Any:
        for name in ("body", "orelse", "finalbody"):
            inside = getattr(node, name, None)
            if isinstance(inside, list) and inside:
                documented = isinstance(node, (ast.Module, *SCOPES)) and name == "body"
                setattr(node, name, _block(inside, documented) or ([ast.Pass()] if name != "orelse" else []))
        if isinstance(node, FUNCTIONS):
            node.body = without_tail(node.body, ast.Return) or [ast.Pass()]
        if isinstance(node, LOOPS):
            node.body = without_tail(node.body, ast.Continue) or [ast.Pass()]
        return node


def _is_case(node: ast.AST) -> bool:
    return type(node).__name__ == "match_case"


def _block(body: Statements, documented: bool) -> Statements:
    front = [docstring(body[0])] if documented and is_docstring(body[0]) else []
    result: Statements = []
    for item in body[len(front) :]:
        result += rewritten(item)
    for rule in BLOCKS:
        result = rule.rewrite(result)
    return front + result
