"""Which backend a call of compiled code is for.

Torch keeps the backend in the callback that it sets for the length of a call. Its own entries know their backends;
precompiled ones, which stand for them, do not: they have to be told apart when a call begins.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Callable, Iterator

from depyf.capture.seams import BACKEND_CALLED


@contextmanager
def told_of_backends(tell: Callable[[Any], object]) -> Iterator[None]:
    """In the block, ``tell`` is called with the backend of each call of compiled code that begins."""
    places = list(BACKEND_CALLED.places())[:1]
    before = [getattr(module, name) for module, name in places]
    for (module, name), own in zip(places, before):
        setattr(module, name, _telling(own, tell))
    try:
        yield
    finally:
        for (module, name), own in zip(places, before):
            setattr(module, name, own)


def _telling(own: Callable[..., Any], tell: Callable[[Any], object]) -> Callable[..., Any]:
    def callback_of_call(*arguments: Any) -> Any:
        callback = own(*arguments)
        if callback:  # neither None nor False, which compile nothing
            tell(_backend_of(callback))
        return callback

    return callback_of_call


def _backend_of(callback: Any) -> Any:
    """As torch itself finds it."""
    while hasattr(callback, "_torchdynamo_orig_backend"):
        callback = callback._torchdynamo_orig_backend
    return callback
