"""A code object to source that provably does the same."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from types import CodeType
from typing import List

from depyf.decompiler.bodies import Bodies, fenced
from depyf.decompiler.candidate import compile_candidate, printed
from depyf.decompiler.definitions.assemble import Assembler
from depyf.decompiler.disassemble.decoded import remembering_graphs
from depyf.decompiler.disassemble.stack import StackError
from depyf.decompiler.garbage import without_collections
from depyf.decompiler.lift.dataflow.driver import decompile_dataflow
from depyf.decompiler.line_map import LineMap, line_map
from depyf.decompiler.recursion import with_enough_stack
from depyf.decompiler.refusals import NOT_PROVED, TOO_DEEP, DecompilationError, InternalError, Refused
from depyf.decompiler.verify import Certificate, rejected, verify


@dataclass(frozen=True)
class Decompiled:
    """Source, the tree it was printed from, the recompiled code object, and how it was proved equal to the original."""

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

    Raises :class:`~depyf.decompiler.refusals.DecompilationError`, and nothing else, when there is no verified answer;
    it names the construct and the offset.
    """
    try:
        with remembering_graphs(), without_collections():
            return with_enough_stack(lambda: _proved(code), code)
    except RecursionError as error:
        raise Refused(TOO_DEEP, str(error), where=code.co_name) from error


def _proved(code: CodeType) -> Decompiled:
    first, second = (_moved_data, _laid_out) if _is_from_dynamo(code) else (_laid_out, _moved_data)
    try:
        return first(code)
    except (Refused, InternalError, StackError) as failure:
        try:
            return second(code)
        except DecompilationError:
            raise failure from None


def _is_from_dynamo(code: CodeType) -> bool:
    """Only saves time: what Dynamo writes is hardly ever laid out as compilers do, and trying costs as much again."""
    return any(name.startswith(("__compiled_fn_", "__resume_at_")) for name in code.co_names)


def _laid_out(code: CodeType) -> Decompiled:
    """Code as compilers lay it out."""
    bodies = Bodies()
    failures: List[DecompilationError] = []
    while True:
        try:
            return fenced(code, lambda: _attempt(code, bodies))
        except (Refused, InternalError) as failure:
            failures.append(failure)
            if isinstance(failure, Refused) and failure.within is not None:
                bodies.rejected = [failure.within]
        if bodies.failure is not None:
            raise bodies.failure
        if not bodies.choose_again():
            raise failures[0]


def _attempt(code: CodeType, bodies: Bodies) -> Decompiled:
    tree = Assembler(bodies).definition_of(code)
    source = printed(tree)
    candidate = compile_candidate(tree, source, code)
    verdict = verify(code, candidate)
    if not isinstance(verdict, Certificate):
        bodies.rejected = rejected(code, candidate)
        raise Refused(NOT_PROVED, str(verdict))
    return Decompiled(source, tree, candidate, verdict, code)


def _moved_data(code: CodeType) -> Decompiled:
    """Code whose operands wait on the stack while statements run, as Dynamo writes it and no compiler does."""
    proved = fenced(code, lambda: decompile_dataflow(code))
    return Decompiled(proved.source, ast.Module([proved.tree], []), proved.code, proved.certificate, code)
