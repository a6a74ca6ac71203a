"""``depyf.install()``: the decompiled source in the log that ``TORCH_LOGS="+bytecode"`` turns on."""

from __future__ import annotations

import logging
import threading
from types import CodeType
from typing import Any

from depyf.capture.decompiled import show
from depyf.capture.fence import Fence
from depyf.capture.seams import BYTECODE_HOOK, BYTECODE_LOG, torch_version, while_nobody_compiles
from depyf.record.full_code import proved

_lock = threading.Lock()
_installed: list[Any] = []


def install() -> None:
    """Log the source of Dynamo's code after its bytecode, wherever that is logged. Once is enough; again does nothing.

    Raises ImportError without torch, RuntimeError for a torch that is too old.
    """
    torch_version()
    register, log = BYTECODE_HOOK.find(), BYTECODE_LOG.find()
    with while_nobody_compiles(), _lock:
        if not _installed and register is not None and log is not None:
            hook = Fence().around("logging decompiled source", lambda code, new_code: _log(log, code, new_code))
            _installed.append(register(hook))


def uninstall() -> None:
    """Undo :func:`install`; without it, do nothing."""
    with while_nobody_compiles(), _lock:
        while _installed:
            _installed.pop().remove()


def _log(log: logging.Logger, code: CodeType, new_code: CodeType) -> None:
    if not log.isEnabledFor(logging.DEBUG):
        return
    shown = show(new_code)
    about = f"not shown as Python: {shown.refusal}" if shown.source is None else proved(shown.certificate)
    log.debug(
        "DECOMPILED SOURCE %s %s line %s (%s)\n%s",
        code.co_name,
        code.co_filename,
        code.co_firstlineno,
        about,
        shown.source or "",
    )
