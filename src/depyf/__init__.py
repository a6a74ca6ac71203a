"""depyf opens the opaque box of ``torch.compile``.

    prepare_debug(dump_src_dir)    a ``with`` block: everything torch.compile does in it, as readable files
    install(), uninstall()         decompiled source in the log of ``TORCH_LOGS="+bytecode"``

Importing this package imports no torch; a name that needs torch says so when it is used without.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from depyf.capture.logs import install as install
    from depyf.capture.logs import uninstall as uninstall
    from depyf.capture.prepare import prepare_debug as prepare_debug

__version__ = "1.0.0.dev0"
__all__ = ["install", "prepare_debug", "uninstall"]

# Where each public name lives; what lives in capture needs torch.
_HOMES = {
    "install": "depyf.capture.logs",
    "prepare_debug": "depyf.capture.prepare",
    "uninstall": "depyf.capture.logs",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'depyf' has no attribute {name!r}")
    if home.startswith("depyf.capture") and find_spec("torch") is None:
        raise ImportError(f"depyf.{name} needs torch, which is not installed (https://pytorch.org)")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
