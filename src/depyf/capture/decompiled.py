"""The one place where capture asks the decompiler."""

from __future__ import annotations

import ast
import dis
import io
from dataclasses import dataclass
from symtable import symtable
from types import CodeType

from depyf.decompiler.targets import ENCLOSING
from depyf.record.names import without_addresses
from depyf.record.schema import Certificate


@dataclass(frozen=True)
class Shown:
    """A code object as source with its certificate, or the reason why there is none; ``proved`` is the source's code,
    which can run in the place of the original."""

    source: str | None
    certificate: Certificate | None
    refusal: str | None
    proved: CodeType | None = None


def show(code: CodeType) -> Shown:
    """Decompile ``code`` to source that stands alone; a refusal, or any failure of the decompiler, is an answer."""
    try:
        # Behind the same fence: a decompiler that cannot even be loaded must not stop the user's program.
        from depyf.decompiler.targets import answer_for_code

        found, proved = answer_for_code(code)
        source = found.source()
        # Finds what a parser does not, such as a nonlocal that nothing binds; unlike compile() it never warns.
        symtable(source, code.co_name, "exec")
    except Exception as error:  # a refusal by name, or a bug of ours: both are shown, neither stops the user
        return Shown(None, None, without_addresses(f"{type(error).__name__}: {error}"))
    certificate = found.proofs[0].certificate
    return Shown(source, Certificate(certificate.level, tuple(certificate.axioms)), None, proved)


def in_file(proved: CodeType, text: str, path: str) -> CodeType:
    """``proved`` as the code of the function that ``text``, the content of the file ``path``, shows."""
    functions = (
        node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    )
    line = next(node.lineno for node in functions if node.name != ENCLOSING)
    return _moved(proved, path, line - proved.co_firstlineno)


def _moved(code: CodeType, path: str, down: int) -> CodeType:
    # Line tables count from the first line on.
    constants = tuple(_moved(each, path, down) if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.replace(co_filename=path, co_firstlineno=code.co_firstlineno + down, co_consts=constants)


def listing(code: CodeType) -> str:
    """The disassembly, nested code objects included, without addresses."""
    text = io.StringIO()
    dis.dis(code, file=text)
    return without_addresses(text.getvalue())
