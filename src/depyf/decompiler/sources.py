"""Code objects from files, without running anything in them.

a.py     compiled
a.pyc    header checked (PEP 552), then unmarshalled: only what this very Python wrote can be read
"""

from __future__ import annotations

import importlib.util
import marshal
import sys
import warnings
from pathlib import Path
from types import CodeType

from depyf.decompiler.refusals import DecompilationError

# PYVERSIONS: the first magic number of each Python (Include/internal/pycore_magic_number.h).
_FIRST_MAGIC = {
    3390: "3.7", 3400: "3.8", 3420: "3.9", 3430: "3.10", 3450: "3.11", 3500: "3.12", 3550: "3.13", 3600: "3.14",
    3650: "3.15",
}  # fmt: skip
_HEADER = 16
_KNOWN_FLAGS = 0b11


class UnreadableTarget(DecompilationError):
    """There is no code to decompile: no such file or name, no Python source, or bytecode of another Python."""


def code_of_file(path: Path) -> CodeType:
    """The module's code object in a ``.py`` or ``.pyc`` file.

    Raises :class:`UnreadableTarget`, which for bytecode of another Python names both versions.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UnreadableTarget(f"{path}: {error.strerror or error}") from error
    return code_of_bytecode(content, path) if path.suffix == ".pyc" else _compiled(content, path)


def _compiled(content: bytes, path: Path) -> CodeType:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(content, str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise UnreadableTarget(f"{path} is no source of {_this_python()}: {error}") from error


def code_of_bytecode(content: bytes, path: Path) -> CodeType:
    """The code object in the content of a ``.pyc`` file."""
    if len(content) < _HEADER:
        raise UnreadableTarget(f"{path} is no bytecode file: it is shorter than a header")
    if content[:4] != importlib.util.MAGIC_NUMBER:
        writer = _writer(content[:4])
        raise UnreadableTarget(f"{path} was written by {writer} and can be read by that only; this is {_this_python()}")
    if int.from_bytes(content[4:8], "little") & ~_KNOWN_FLAGS:
        raise UnreadableTarget(f"{path} is no bytecode file: its header has flags that PEP 552 does not know")
    try:
        code = marshal.loads(content[_HEADER:])
    except (EOFError, ValueError, TypeError) as error:
        raise UnreadableTarget(f"{path} is damaged: {error}") from error
    if not isinstance(code, CodeType):
        raise UnreadableTarget(f"{path} holds no code object, but a {type(code).__name__}")
    return code


def _writer(magic: bytes) -> str:
    number = int.from_bytes(magic[:2], "little")
    if magic[2:] != b"\r\n" or number < min(_FIRST_MAGIC):
        return "something else than a Python that depyf knows"
    return f"Python {_FIRST_MAGIC[max(first for first in _FIRST_MAGIC if first <= number)]} (magic number {number})"


def _this_python() -> str:
    return "Python {}.{}.{}".format(*sys.version_info)
