"""What happens in a block of Dynamo's code once data movement is gone, and where blocks lead.

s1 = LOAD_GLOBAL f; s2 = CALL s1(a)          Operation, Operation
x = [s2], needed again                       Made
del y                                        Dropped
"""

from __future__ import annotations

from typing import Iterator, NamedTuple, Optional, Tuple, Union

from depyf.decompiler.lift.dataflow.shown import Shown, symbols_in
from depyf.decompiler.symbolic.state import State
from depyf.decompiler.symbolic.values import Symbol


class Phi(NamedTuple):
    """Origin of a symbol for what paths into block ``block`` bring to ``place``."""

    block: int
    place: object


class Made(NamedTuple):
    """A container comes into being under a name, because it is needed again."""

    result: Symbol
    contents: Shown


class Dropped(NamedTuple):
    """The original deletes a local here, and nothing else holds its value."""

    value: Symbol


class Operation(NamedTuple):
    """An effect: operands as shown, results, and what its handler finds if it raises."""

    kind: Tuple[object, ...]
    operands: Tuple[Shown, ...]
    results: Tuple[Symbol, ...]
    node: int
    raising: Optional[Way]


class Way(NamedTuple):
    """A way to another block and the state that arrives there."""

    target: int
    state: State


Event = Union[Made, Dropped, Operation]


class Block(NamedTuple):
    """Events in order, then the ways on: none, one, or one per edge of the last operation.

    ``handler`` is the block that raising enters, None where the exception leaves the frame; a ``quiet`` block cannot
    raise.
    """

    number: int
    events: Tuple[Event, ...]
    ways: Tuple[Way, ...]
    handler: Optional[int]
    quiet: bool


def ways_of(block: Block) -> Iterator[Tuple[object, Way]]:
    for number, way in enumerate(block.ways):
        yield number, way
    for number, event in enumerate(block.events):
        if isinstance(event, Operation) and event.raising is not None:
            yield ("raised", number), event.raising


def raising(block: Block) -> Iterator[Operation]:
    return (event for event in block.events if isinstance(event, Operation) and event.raising is not None)


def used(block: Block) -> Iterator[Symbol]:
    """Symbols that operations take as values; matching and raising again name no value."""
    for event in block.events:
        if isinstance(event, Operation) and event.kind[0] not in ("EXC_MATCH", "RERAISE", "WITH_EXCEPT_START"):
            for operand in event.operands:
                yield from symbols_in(operand)
        elif isinstance(event, Made):
            yield from symbols_in(event.contents)
