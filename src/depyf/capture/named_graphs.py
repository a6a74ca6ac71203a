"""Graphs that a framework prints under a name of its own: ``lazy_format_graph_code("after my pass", gm)``.

Torch has no hook for these, so that this is the one function that is replaced: in the modules it is imported from, by
a function that does the same and passes on what callers outside of torch print. Whoever imported it earlier, torch's
own files among them, keeps the original. The replacement is there while at least one receiver is.
"""

from __future__ import annotations

import functools
import sys
import threading
from typing import Any, Callable

from depyf.capture.seams import GRAPH_PRINTER

Receive = Callable[[str, Any], None]

_lock = threading.Lock()
_receivers: list[Receive] = []
_originals: list[tuple[Any, str, Any]] = []


def receive_named_graphs(receive: Receive) -> Callable[[], None]:
    """Call ``receive(name, graph module)`` for each from now on; the result ends that."""
    with _lock:
        if not _receivers:
            _replace()
        _receivers.append(receive)

    def end() -> None:
        with _lock:
            _receivers.remove(receive)
            if not _receivers:
                _restore()

    return end


def _replace() -> None:
    original = GRAPH_PRINTER.find()
    if original is None:
        return

    @functools.wraps(original)
    def printer(*args: Any, **kwargs: Any) -> Any:
        if len(args) > 1 and not _is_torch(sys._getframe(1).f_globals):
            for receive in tuple(_receivers):
                receive(str(args[0]), args[1])
        return original(*args, **kwargs)

    for module, name in GRAPH_PRINTER.places():
        if getattr(module, name) is original:
            _originals.append((module, name, original))
            setattr(module, name, printer)


def _restore() -> None:
    while _originals:
        module, name, original = _originals.pop()
        setattr(module, name, original)


def _is_torch(namespace: dict[str, Any]) -> bool:
    return str(namespace.get("__name__", "")).partition(".")[0] == "torch"
