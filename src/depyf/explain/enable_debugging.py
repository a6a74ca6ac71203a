"""Names of earlier releases: depyf exchanges no function of torch any more, so that there is nothing to adapt here."""

from __future__ import annotations

from contextlib import contextmanager
from types import CodeType
from typing import Any, Callable, Iterator, Optional

from depyf.capture.seams import BYTECODE_HOOK, while_nobody_compiles
from depyf.explain.global_variables import data


def patched_load_by_key_path(*args: Any, **kwargs: Any) -> Any:
    """Inductor's own, with whatever arguments it has."""
    return data["unpatched_load_by_key_path"](*args, **kwargs)


@contextmanager
def patch(parent: Any, name: str, value: Any) -> Iterator[None]:
    """``parent.name`` is ``value`` inside the block."""
    before = getattr(parent, name)
    setattr(parent, name, value)
    try:
        yield
    finally:
        setattr(parent, name, before)


@contextmanager
def enable_bytecode_hook(hook: Callable[[CodeType, CodeType], Optional[CodeType]]) -> Iterator[None]:
    """Inside the block torch calls ``hook(code, new_code)`` for all that it compiles. RuntimeError where it cannot."""
    register = BYTECODE_HOOK.find()
    if register is None:
        raise RuntimeError(f"this torch has no {BYTECODE_HOOK.name}")
    with while_nobody_compiles():
        handle = register(hook)
    try:
        yield
    finally:
        with while_nobody_compiles():
            handle.remove()
