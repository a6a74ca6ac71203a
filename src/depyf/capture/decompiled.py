"""The one place where capture asks the decompiler."""

from __future__ import annotations

import dis
import io
from dataclasses import dataclass
from symtable import symtable
from types import CodeType

from depyf.record.names import without_addresses
from depyf.record.schema import Certificate


@dataclass(frozen=True)
class Shown:
    """A code object as source with its certificate, or the reason why there is none."""

    source: str | None
    certificate: Certificate | None
    refusal: str | None


def show(code: CodeType) -> Shown:
    """Decompile ``code`` to source that stands alone; a refusal, or any failure of the decompiler, is an answer."""
    try:
        # Behind the same fence: a decompiler that cannot even be loaded must not stop the user's program.
        from depyf.decompiler.targets import answer

        found = answer(code)
        source = found.source()
        # Finds what a parser does not, such as a nonlocal that nothing binds; unlike compile() it never warns.
        symtable(source, code.co_name, "exec")
    except Exception as error:  # a refusal by name, or a bug of ours: both are shown, neither stops the user
        return Shown(None, None, without_addresses(f"{type(error).__name__}: {error}"))
    certificate = found.proofs[0].certificate
    return Shown(source, Certificate(certificate.level, tuple(certificate.axioms)), None)


def listing(code: CodeType) -> str:
    """The disassembly, nested code objects included, without addresses."""
    text = io.StringIO()
    dis.dis(code, file=text)
    return without_addresses(text.getvalue())
