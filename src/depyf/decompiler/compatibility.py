"""The class of depyf's first releases."""

from __future__ import annotations

import ast
import dis
from pathlib import Path
from types import CodeType
from typing import List, Optional, Tuple

from depyf.decompiler.bodies import fenced
from depyf.decompiler.decompile import decompile_code
from depyf.decompiler.disassemble.control import KNOWN_OPNAMES
from depyf.decompiler.disassemble.decoded import remembering_graphs
from depyf.decompiler.emit import emit
from depyf.decompiler.garbage import without_collections
from depyf.decompiler.lift.dataflow.driver import decompile_dataflow
from depyf.decompiler.recursion import with_enough_stack
from depyf.decompiler.refusals import NOT_PROVED, DecompilationError, InternalError, Refused
from depyf.decompiler.targets import answer, code_of
from depyf.decompiler.verify.checks import parameters

# Instructions that set up and leave blocks until Python 3.10: decoding turns them into the handlers of others.
_BLOCK_STACK = {
    "SETUP_FINALLY", "SETUP_WITH", "SETUP_ASYNC_WITH", "POP_BLOCK", "BEGIN_FINALLY", "CALL_FINALLY", "POP_FINALLY",
    "END_FINALLY", "WITH_CLEANUP_START", "WITH_CLEANUP_FINISH",
}  # fmt: skip


class Decompiler:
    """One code object, function, generator or module to decompile; :func:`depyf.decompile` takes classes, too."""

    def __init__(self, code: object) -> None:
        """Take anything that :func:`depyf.decompile` takes and that is made of one code object.

        Raises:
            TypeError: it has no code object.
        """
        self.target = code
        self.code = code_of(code)

    def decompile(
        self, indentation: int = 4, temp_prefix: str = "__temp_", overwite_fn_name: Optional[str] = None
    ) -> str:
        """Source that provably does the same.

        Args:
            indentation: number of spaces by which a block stands further in.
            temp_prefix: accepted for programs written for earlier releases; variables that the source needs in
                addition are named for what they hold.
            overwite_fn_name: the name to print for the function (sic: programs use this spelling).

        Raises:
            DecompilationError: there is no verified answer.
        """
        tree = answer(self.target).tree
        if overwite_fn_name is not None:
            tree = _renamed(tree, self.code.co_name, overwite_fn_name)
        return emit(tree, indentation)

    @staticmethod
    def decompile_and_compile_like(
        code_to_decompile: CodeType,
        reference_code: CodeType,
        indentation: int = 4,
        temp_prefix: str = "__temp_",
        filepath_template: Optional[str] = None,
    ) -> CodeType:
        """A code object that provably does what ``code_to_decompile`` does and that torch accepts in place of
        ``reference_code``.

        Args:
            code_to_decompile: what Dynamo generated.
            reference_code: the code of the frame that it was generated for.
            indentation: number of spaces by which a block stands further in.
            temp_prefix: prefix of variables that the source needs in addition and that hold nothing with a name.
            filepath_template: where to write the source, ``%s`` standing for a number that makes the name new;
                the result's ``co_filename`` is that file.

        Raises:
            DecompilationError: there is no verified answer, or its variables are not those of ``reference_code``.
            OSError: the file cannot be written.
        """
        filename = None if filepath_template is None else _new_file(filepath_template)
        with remembering_graphs(), without_collections():
            tree, code = with_enough_stack(
                lambda: _recompiled(code_to_decompile, temp_prefix, filename), code_to_decompile
            )
        for variables in (parameters, _free_variables, _cell_variables):
            if variables(code) != variables(reference_code):
                why = f"{variables(code)} instead of {variables(reference_code)}"
                raise Refused(
                    NOT_PROVED, f"its variables are not those of the reference: {why}", code_to_decompile.co_name
                )
        if filename is not None:
            Path(filename).write_text(emit(tree, indentation), encoding="utf-8")
        return code

    @staticmethod
    def supported_opnames() -> List[str]:
        """The instructions of the running Python that can be decoded, in alphabetical order."""
        real = {name for name, number in dis.opmap.items() if number < 256}
        return sorted(real & (KNOWN_OPNAMES | _BLOCK_STACK))


def _recompiled(code: CodeType, temp_prefix: str, filename: Optional[str]) -> Tuple[ast.Module, CodeType]:
    """The source of ``code`` as a tree, and what it compiles to: as Dynamo's code, else as a compiler's."""
    try:
        proved = fenced(code, lambda: decompile_dataflow(code, temp_prefix, filename))
    except (Refused, InternalError) as refused:
        try:
            found = decompile_code(code)
        except DecompilationError:
            raise refused from None
        return found.tree, found.candidate if filename is None else _in_file(found.candidate, filename)
    return ast.Module([proved.tree], []), proved.code


def _in_file(code: CodeType, filename: str) -> CodeType:
    """``code`` and the code inside of it, as compiled from ``filename``."""
    constants = [_in_file(item, filename) if isinstance(item, CodeType) else item for item in code.co_consts]
    return code.replace(co_filename=filename, co_consts=tuple(constants))


def _free_variables(code: CodeType) -> Tuple[str, ...]:
    return code.co_freevars


def _cell_variables(code: CodeType) -> Tuple[str, ...]:
    return code.co_cellvars


def _new_file(template: str) -> str:
    """The first name of the template that no file has."""
    number = 0
    while (Path(template % number)).exists():
        number += 1
    return template % number


def _renamed(tree: ast.Module, old: str, new: str) -> ast.Module:
    """A copy of ``tree`` whose outermost function is called ``new``."""
    return ast.Module([_renamed_statement(statement, old, new) for statement in tree.body], [])


def _renamed_statement(statement: ast.stmt, old: str, new: str) -> ast.stmt:
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        fields = {name: getattr(statement, name) for name in statement._fields if hasattr(statement, name)}
        if statement.name == old:
            fields["name"] = new
        else:
            fields["body"] = [_renamed_statement(inner, old, new) for inner in statement.body]
        return type(statement)(**fields, lineno=0)
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Lambda):
        return ast.Assign([ast.Name(new, ast.Store())], statement.value, lineno=0)
    return statement
