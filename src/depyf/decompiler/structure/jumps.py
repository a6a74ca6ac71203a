"""Where jumps may go from the place that is being written."""

from __future__ import annotations

from typing import NamedTuple, Optional

from depyf.decompiler.refusals import CONTROL_FLOW, Refused
from depyf.decompiler.structure.scopes import Scope


class Around(NamedTuple):
    """Where jumps may go: ``follow`` is reached by falling through, the others by ``continue`` and ``break``.

    ``inside`` is the innermost statement that what is written now has to belong to.
    """

    follow: Optional[int] = None
    repeat: Optional[int] = None
    leave: Optional[int] = None
    inside: Optional[Scope] = None


class Misplaced(Refused):
    """A jump to ``target`` that is no fall-through, ``break``, ``continue`` or ``return`` where it stands."""

    def __init__(self, target: int, where: str) -> None:
        super().__init__(CONTROL_FLOW, "a jump that is no break, continue or return", where)
        self.target = target
