"""Graphs that several stages need of one code object are decoded once.

Only the stages that make source ask here; the verifier decodes what it compares itself.
"""

from __future__ import annotations

import contextlib
from contextvars import ContextVar
from types import CodeType
from typing import Dict, Iterator, Optional

from depyf.decompiler.disassemble.decode import decode
from depyf.decompiler.disassemble.graph import Graph

# By identity of the code object, which its graph keeps alive.
_GRAPHS: ContextVar[Optional[Dict[int, Graph]]] = ContextVar("graphs that are remembered", default=None)


@contextlib.contextmanager
def remembering_graphs() -> Iterator[None]:
    """Until the block ends, :func:`decoded` remembers what it has decoded."""
    token = _GRAPHS.set({})
    try:
        yield
    finally:
        _GRAPHS.reset(token)


def decoded(code: CodeType) -> Graph:
    """The effect graph of ``code``.

    Raises :class:`~depyf.decompiler.refusals.DamagedCode` as :func:`~depyf.decompiler.disassemble.decode.decode` does.
    """
    graphs = _GRAPHS.get()
    if graphs is None:
        return decode(code)
    graph = graphs.get(id(code))
    if graph is None:
        graph = graphs[id(code)] = decode(code)
    return graph
