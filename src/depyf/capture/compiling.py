"""The compilations that a thread is in the middle of, as the frames of torch's compiler show them."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any, Iterator, Mapping

from depyf.capture.seams import COMPILE


def compiling() -> Iterator[Mapping[str, Any]]:
    """For each, innermost first: ``code``, ``globals`` and ``closure`` of what is compiled, under torch's names."""
    compiler = COMPILE.find()
    own = getattr(getattr(compiler, "__wrapped__", compiler), "__code__", None)
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code is own:
            yield frame.f_locals
        frame = frame.f_back


def scopes() -> Iterator[Mapping[str, Any]]:
    """The globals of what is compiled."""
    found = (variables.get("globals") for variables in compiling())
    yield from (each for each in found if isinstance(each, dict))
