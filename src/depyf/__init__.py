"""depyf opens the opaque box of ``torch.compile``.

    prepare_debug(dump_src_dir)    a ``with`` block: everything torch.compile does in it, as readable files
    decompile(target)              source that provably does the same as a function, class, module or code object
    debug(break_at=None)           a ``with`` block: what it wrote down runs from those files, under a debugger
    places(dump_src_dir, place)    what was made of a line of yours, such as "model.py:42", and what a line was made of
    install(), uninstall()         decompiled source in the log of ``TORCH_LOGS="+bytecode"``

Importing this package imports no torch; a name that needs torch says so when it is used without.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from os import environ
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from depyf.capture.logs import install as install
    from depyf.capture.logs import uninstall as uninstall
    from depyf.capture.prepare import prepare_debug as prepare_debug
    from depyf.debugger.block import debug as debug
    from depyf.debugger.places import places as places
    from depyf.decompiler.compatibility import Decompiler as Decompiler
    from depyf.decompiler.targets import decompile as decompile

__version__ = "1.0.0.dev0"
__all__ = ["Decompiler", "debug", "decompile", "install", "places", "prepare_debug", "uninstall"]

# Modules that are there without being imported; where each public name lives; what lives in capture needs torch.
_FOLDERS = ("decompiler", "explain", "optimization", "utils")
_HOMES = {
    "Decompiler": "depyf.decompiler.compatibility",
    "debug": "depyf.debugger.block",
    "decompile": "depyf.decompiler.targets",
    "install": "depyf.capture.logs",
    "places": "depyf.debugger.places",
    "prepare_debug": "depyf.capture.prepare",
    "uninstall": "depyf.capture.logs",
}


def __getattr__(name: str) -> Any:
    if name in _FOLDERS:
        return import_module(f"depyf.{name}")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'depyf' has no attribute {name!r}")
    if home.startswith(("depyf.capture", "depyf.debugger.block")) and find_spec("torch") is None:
        raise ImportError(f"depyf.{name} needs torch, which is not installed (https://pytorch.org)")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if environ.get("DEPYF_DIR"):
    import_module("depyf.environment").wait()
