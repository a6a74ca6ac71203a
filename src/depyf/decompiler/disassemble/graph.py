"""The effect graph: what a code object does, with the encoding removed.

    LOAD_FAST a             0: LOAD_FAST a    -> 1
    POP_JUMP_IF_FALSE L     1: BRANCH         -> (2 if true, 4 if false)
    LOAD_CONST 1            2: LOAD_CONST 1   -> 3
    RETURN_VALUE       =>   3: RETURN_VALUE
 L: LOAD_CONST None         4: LOAD_CONST None -> 5
    RETURN_VALUE            5: RETURN_VALUE

A node is one micro-operation (``opcodes.py`` lists them).  Jumps, caches, NOPs and superinstructions are gone,
exception handling is one optional handler per node whatever the Python, and only reachable nodes are kept.
"""

from __future__ import annotations

from types import CodeType
from typing import NamedTuple, Optional, Tuple


class Handler(NamedTuple):
    """Where control goes when a node raises.

    ``depth`` is the number of operand-stack slots that survive; ``lasti`` says that the offset of the raising
    instruction is pushed below the exception (CPython 3.11+, Objects/exception_handling_notes.txt).
    """

    target: int
    depth: int
    lasti: bool


class Position(NamedTuple):
    """Source position as far as the Python knows it; columns exist since 3.11 (PEP 657)."""

    line: Optional[int]
    end_line: Optional[int] = None
    column: Optional[int] = None
    end_column: Optional[int] = None

    @property
    def width(self) -> Optional[int]:
        """Number of columns; 0 for what takes several lines, None where columns are not known."""
        if self.column is None or self.end_column is None:
            return None
        return self.end_column - self.column if self.line == self.end_line else 0


class Node(NamedTuple):
    """One micro-operation of an effect graph.

    ``next`` holds node numbers: ``()`` where control leaves the frame, ``(if_true, if_false)`` for BRANCH,
    ``(item, exhausted)`` for FOR_ITER, ``(suspended, finished)`` for SEND, else one successor.
    """

    op: str
    arg: object
    next: Tuple[int, ...]
    handler: Optional[Handler]
    offset: int
    position: Position


class Graph(NamedTuple):
    """Effect graph of ``code``; ``nodes[entry]`` runs first."""

    code: CodeType
    nodes: Tuple[Node, ...]
    entry: int
