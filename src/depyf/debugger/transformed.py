"""Dynamo's code -> verified code whose lines are those of its file in the dump directory.

    D (in torch's cache)  ── decompile, recompile, verify ─→  V
    __transformed_code_0_for_f.py  ── ends in the source of V, with comments ─→  V, moved to its line of that file

A file that was edited says something else than V, and is not run.
"""

from __future__ import annotations

from pathlib import Path
from types import CodeType

from depyf.capture import installing
from depyf.capture.decompiled import in_file, show
from depyf.record.names import without_uuid


class NotSteppable(Exception):
    """Why something cannot be run from its file."""


def runnable(code: CodeType, path: Path) -> CodeType:
    """What can run in the place of ``code``, a code object of Dynamo's that ``path`` shows.

    Raises :class:`NotSteppable` when nothing was verified, or the file shows something else.
    """
    shown = show(code)
    if shown.source is None:
        raise NotSteppable(f"no verified source: {shown.refusal}")
    candidate = installing.runnable(code, shown)
    if candidate is None:
        raise NotSteppable("its variables have another order once compiled, which torch does not take")
    text = _text(path)
    if not _ends_in(text, without_uuid(shown.source)):
        raise NotSteppable("the file was edited")
    return in_file(candidate, text, str(path))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise NotSteppable(f"the file cannot be read: {error.strerror or error}") from error


def _ends_in(text: str, source: str) -> bool:
    """Whether the last lines of ``text`` are those of ``source``; a comment may stand behind each."""
    lines = source.split("\n")
    last = text.split("\n")[-len(lines) :]
    return len(last) == len(lines) and all(
        shown == line or shown.startswith(f"{line}  # ") for shown, line in zip(last, lines)
    )
