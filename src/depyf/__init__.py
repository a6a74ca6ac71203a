"""depyf opens the opaque box of ``torch.compile``.

    prepare_debug(dump_src_dir)    a ``with`` block: everything torch.compile does in it, as readable files

Importing this package imports no torch; a name that needs torch says so when it is used without.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from depyf.capture.prepare import prepare_debug as prepare_debug

__version__ = "1.0.0.dev0"

# Public name -> where it lives. Those of the second table need torch.
_ANYWHERE = {}  # type: dict[str, str]
_WITH_TORCH = {"prepare_debug": "depyf.capture.prepare"}

__all__ = [*_ANYWHERE, *_WITH_TORCH, "__version__"]


def __getattr__(name: str) -> Any:
    if name in _WITH_TORCH and find_spec("torch") is None:
        raise ImportError(f"depyf.{name} needs torch, which is not installed (https://pytorch.org)")
    module = _WITH_TORCH.get(name) or _ANYWHERE.get(name)
    if module is None:
        raise AttributeError(f"module 'depyf' has no attribute {name!r}")
    return getattr(import_module(module), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
