"""What the operand stack holds while a pattern is tested, and what is known about a pattern that was run.

MATCH_SEQUENCE   =>   Slot, Test(("kind", slot, "MATCH_SEQUENCE"))
"""

from __future__ import annotations

import ast
from typing import Any, NamedTuple, Optional, Sequence, Set, Tuple


class NoPattern(Exception):
    """What runs here is no pattern."""


class Slot:
    """A part of the subject."""


class Joined(Slot):
    """What the alternatives of an or-pattern left in one place of the stack."""

    def __init__(self, members: Sequence[Slot]) -> None:
        self.members = members


class Length(NamedTuple):
    """The length of a slot, ``less`` a number."""

    slot: Slot
    less: int


class Test(NamedTuple):
    """A truth value; the pattern goes on where it is ``wanted``.  ``event`` is noted then."""

    event: Tuple[Any, ...]
    wanted: bool = True


class Values(NamedTuple):
    """The tuple that MATCH_KEYS or MATCH_CLASS found, or None."""

    slot: Slot


class Keys(NamedTuple):
    """The tuple of a mapping's keys, on top of it."""

    slot: Slot
    exprs: Tuple[ast.expr, ...]


class Rest(Slot):
    """The dictionary that ``**rest`` is bound to."""


Landing = Tuple[int, int]
Event = Tuple[Any, ...]


class Tested(NamedTuple):
    """A pattern that was run.

    It has a root, what happened to its slots, where success and failure lead, and the nodes it consists of.

    ``failure`` is None for a capture or wildcard.
    """

    root: Slot
    events: Tuple[Event, ...]
    success: int
    failure: Optional[int]
    nodes: Set[int]

    def always_tests(self) -> bool:
        """Whether tests are made although the pattern always matches: its last alternative is a capture."""
        return self.failure is None and any(event[0] == "or" for event in self.events)

    def names_subject(self) -> bool:
        """Whether the pattern ends in ``as name``."""
        about_root = [event[0] for event in self.events if event[1] is self.root]
        return "name" in about_root[1:] and about_root[0] != "name"
