"""Which debugger stops the program, and in which frame: the user's.

a debug adapter is attached (debugpy)            it suspends the user's frame
sys.breakpointhook or PYTHONBREAKPOINT is set    that one is called, with the user's frame where it takes one
otherwise                                        pdb, see shell.py
"""

from __future__ import annotations

import inspect
import os
import sys
from importlib import import_module
from types import FrameType
from typing import Callable

_OWN = ("", "pdb.set_trace")


def is_off() -> bool:
    """Whether ``PYTHONBREAKPOINT=0`` asks never to stop (PEP 553)."""
    return sys.breakpointhook is sys.__breakpointhook__ and os.environ.get("PYTHONBREAKPOINT") == "0"


def chosen_hook() -> Callable[..., object] | None:
    """The debugger that the user chose for ``breakpoint()``; None for Python's own choice, which is pdb."""
    if sys.breakpointhook is not sys.__breakpointhook__:
        return sys.breakpointhook
    name = os.environ.get("PYTHONBREAKPOINT", "")
    if name in _OWN:
        return None
    module, _, function = name.rpartition(".")
    try:
        hook: Callable[..., object] = getattr(import_module(module or "builtins"), function)
        return hook
    except (ImportError, AttributeError, ValueError):
        return sys.__breakpointhook__  # it warns that there is no such thing, and goes on


def call_hook(hook: Callable[..., object], frame: FrameType) -> None:
    """Call a debugger that is not ours; IPython's and ipdb's take the frame to stop in."""
    try:
        takes_frame = "frame" in inspect.signature(hook).parameters
    except (TypeError, ValueError):
        takes_frame = False
    if takes_frame:
        hook(frame=frame)
    else:
        hook()
