"""Dynamo's code to proved source: lift, print, recompile, verify."""

from __future__ import annotations

import ast
import contextlib
from types import CodeType
from typing import NamedTuple, Optional

from depyf.decompiler.disassemble.decoded import decoded
from depyf.decompiler.emit import EmitError, emit
from depyf.decompiler.lift.dataflow.function import WAYS, Way, function_tree
from depyf.decompiler.lift.dataflow.names import Names
from depyf.decompiler.recompile import recompile
from depyf.decompiler.refusals import NO_SOURCE_FORM, NOT_A_FUNCTION, NOT_PROVED, Refused
from depyf.decompiler.stand_ins import StandIns
from depyf.decompiler.verify.symbolic import verify_symbolic
from depyf.decompiler.verify.verdict import Certificate

CO_NEWLOCALS_AND_OPTIMIZED = 0x03


class Proved(NamedTuple):
    """The function as a tree, its text, a code object that can run in the place of the original, and the proof."""

    tree: ast.FunctionDef
    source: str
    code: CodeType
    certificate: Certificate
    stand_ins: StandIns


def decompile_dataflow(code: CodeType, temp_prefix: str = "", filename: Optional[str] = None) -> Proved:
    """Decompile code whose jumps are plain and whose data moves through the stack, as Dynamo writes it.

    Raises :class:`~depyf.decompiler.refusals.Refused` when it cannot be printed or not be proved, and
    :class:`~depyf.decompiler.refusals.DamagedCode` when it is no program.
    """
    if code.co_flags & CO_NEWLOCALS_AND_OPTIMIZED != CO_NEWLOCALS_AND_OPTIMIZED:
        raise Refused(NOT_A_FUNCTION, "its variables are names of a namespace", code.co_name)
    for way in WAYS[:-1]:
        with contextlib.suppress(Refused):
            return _attempt(code, temp_prefix, filename, way)
    return _attempt(code, temp_prefix, filename, WAYS[-1])


def _attempt(code: CodeType, temp_prefix: str, filename: Optional[str], way: Way) -> Proved:
    graph = decoded(code)
    names = Names(graph, temp_prefix)
    tree = function_tree(graph, names, way)
    try:
        source = emit(tree)
    except EmitError as error:
        raise Refused(NO_SOURCE_FORM, str(error), code.co_name) from error
    stand_ins = StandIns(names.objects, names.restored, names.functions, tuple(names.nested), frozenset(names.kept))
    compiled = recompile(source, code, stand_ins, filename)
    verdict = verify_symbolic(code, compiled)
    if not isinstance(verdict, Certificate):
        raise Refused(NOT_PROVED, str(verdict), code.co_name)
    return Proved(tree, source, compiled, verdict, stand_ins)
