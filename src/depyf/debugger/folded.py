"""Frames that nobody wants to step through: torch's, depyf's, and what these call of the libraries they are made of."""

from __future__ import annotations

import logging
import os
import sys
import sysconfig
from functools import lru_cache
from types import FrameType

import depyf
from depyf.capture.seams import torch_folders

_STANDARD = tuple(sysconfig.get_path(name) for name in ("stdlib", "platstdlib"))
_INSTALLED = tuple(sysconfig.get_path(name) for name in ("purelib", "platlib"))
# What torch is made of, beside the standard library: compiling leads through all of them.
_LIBRARIES = ("sympy", "mpmath", "networkx", "numpy", "jinja2", "triton", "optree", "typing_extensions.py")
# What torch logs goes to handlers of anybody's.
_LOGGING = logging.__file__


def is_folded(frame: FrameType) -> bool:
    """Whether ``frame`` belongs to torch or depyf. Standard library and text without a file go by who called them."""
    kind, caller = _kind(frame.f_code.co_filename), frame.f_back
    if kind is not None and not _is_generated(frame):
        return kind or (caller is not None and caller.f_code.co_filename == _LOGGING and is_folded(caller))
    return caller is not None and is_folded(caller)


def _is_generated(frame: FrameType) -> bool:
    """Methods that dataclasses and namedtuples make have no file; neither has ``python -c``, which is the user's."""
    return frame.f_code.co_filename == "<string>" and frame.f_globals.get("__name__") != "__main__"


@lru_cache(maxsize=None)
def _kind(file: str) -> bool | None:
    if file.startswith("<"):
        return None if file.startswith("<frozen ") else False
    if file.startswith(_folders()):
        return True
    if file.startswith(_INSTALLED):
        return None if file.startswith(_libraries()) else False
    return None if file.startswith(_STANDARD) else False


@lru_cache(maxsize=None)
def _libraries() -> tuple[str, ...]:
    return tuple(os.path.join(place, library) for place in _INSTALLED for library in _LIBRARIES)


@lru_cache(maxsize=None)
def _folders() -> tuple[str, ...]:
    return (*torch_folders(), os.path.join(os.path.dirname(depyf.__file__), ""))


def nearest_unfolded() -> FrameType:
    """The innermost frame of the caller's that is not folded; the outermost one when all are."""
    frame = sys._getframe(1)
    while frame.f_back is not None and is_folded_or_standard(frame):
        frame = frame.f_back
    return frame


def is_folded_or_standard(frame: FrameType) -> bool:
    """Whether ``frame`` is no code of the user's: ``contextlib`` may stand between a ``with`` block and depyf."""
    return _kind(frame.f_code.co_filename) is not False
