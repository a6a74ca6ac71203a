"""The one place where capture asks the decompiler."""

from __future__ import annotations

import dis
import io
from dataclasses import dataclass
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
    """Decompile ``code``; a refusal, or any failure of the decompiler, is an answer."""
    try:
        from depyf.decompiler import decompile_code  # type: ignore[attr-defined,unused-ignore]
    except ImportError:
        return Shown(None, None, "this installation has no decompiler")
    try:
        found = decompile_code(code)
    except Exception as error:  # a refusal by name, or a bug of ours: both are shown, neither stops the user
        return Shown(None, None, without_addresses(f"{type(error).__name__}: {error}"))
    return Shown(found.source, Certificate(found.certificate.level, tuple(found.certificate.axioms)), None)


def listing(code: CodeType) -> str:
    """The disassembly, nested code objects included, without addresses."""
    text = io.StringIO()
    dis.dis(code, file=text)
    return without_addresses(text.getvalue())
