"""A code object to source that provably does the same."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from types import CodeType
from typing import Optional

from depyf.decompiler.candidate import compile_candidate
from depyf.decompiler.definitions.assemble import Assembler
from depyf.decompiler.emit import emit
from depyf.decompiler.lift.copies import Merging
from depyf.decompiler.lift.dataflow.driver import decompile_dataflow
from depyf.decompiler.line_map import LineMap, line_map
from depyf.decompiler.pipeline import body_of
from depyf.decompiler.refusals import NOT_PROVED, DecompilationError, Refused
from depyf.decompiler.verify import Certificate, verify


@dataclass(frozen=True)
class Decompiled:
    """Source, the syntax tree it was printed from, the recompiled code object, and how it was proved equal to the original."""

    source: str
    tree: ast.Module
    candidate: CodeType
    certificate: Certificate
    original: CodeType

    @property
    def line_map(self) -> LineMap:
        """Bytecode offsets of the original by printed line, as far as they are known."""
        return line_map(self.original, self.candidate, self.tree)


def decompile_code(code: CodeType) -> Decompiled:
    """Decompile one code object of the running Python, nested ones included.

    Raises :class:`~depyf.decompiler.refusals.DecompilationError` naming the construct and the offset when there is no verified answer.
    """
    failure: Optional[DecompilationError] = None
    for merging in Merging:
        try:
            return _attempt(code, merging)
        except Refused as refused:
            failure = failure or refused
    assert failure is not None
    try:
        return _moved_data(code)
    except DecompilationError:
        raise failure from None


def _moved_data(code: CodeType) -> Decompiled:
    """Code whose operands wait on the stack while statements run, as Dynamo writes it: no compiler lays code out like that."""
    proved = decompile_dataflow(code)
    return Decompiled(proved.source, ast.Module([proved.tree], []), proved.code, proved.certificate, code)


def _attempt(code: CodeType, merging: Merging) -> Decompiled:
    tree = Assembler(lambda nested: body_of(nested, merging)).definition_of(code)
    candidate = compile_candidate(tree, code)
    verdict = verify(code, candidate)
    if not isinstance(verdict, Certificate):
        raise Refused(NOT_PROVED, str(verdict))
    return Decompiled(emit(tree), tree, candidate, verdict, code)
