"""What verification says: how the answer was proved, or the first place where the two programs differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import FrozenSet, List, Optional, Tuple, Union

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.graph import Graph, Node

EXACT = "exact"  # same bytecode, exception table, constants and names
BISIMILAR = "bisimilar"  # every operation of one is matched by the same operation of the other
SYMBOLIC = "symbolic"  # data movement was interpreted, every other operation is matched


@dataclass(frozen=True)
class Certificate:
    """The two code objects do the same.

    ``rules`` names what was identified on the way (``docs/equivalence.md``), ``axioms`` what is taken for granted about
    the objects of the program, ``pairs`` how many pairs of operations were compared.
    """

    level: str
    rules: FrozenSet[str] = frozenset()
    axioms: Tuple[str, ...] = ()
    pairs: int = 0

    def __str__(self) -> str:
        notes = [*sorted(self.rules), *(f"assuming {axiom}" for axiom in self.axioms)]
        return self.level + (f" ({', '.join(notes)})" if notes else "")


@dataclass(frozen=True)
class Place:
    """A node of an effect graph."""

    graph: Graph
    node: int

    def __str__(self) -> str:
        node = self.graph.nodes[self.node]
        line = "" if node.position.line is None else f", line {node.position.line}"
        return f"offset {node.offset}{line}"


@dataclass(frozen=True)
class Mismatch:
    """The first difference found between the original and the candidate.

    ``path`` names the nested code objects on the way to it; ``expected`` and ``found`` are the operations that differ,
    None where the difference is one of the code objects as a whole.
    """

    path: Tuple[str, ...]
    why: str
    expected: Optional[Place] = None
    found: Optional[Place] = None

    def __str__(self) -> str:
        lines = [f"{'.'.join(self.path)}: {self.why}"]
        if self.expected is not None:
            lines += [f"  expected, {self.expected}:", *_excerpt(self.expected)]
        if self.found is not None:
            lines += [f"  found, {self.found}:", *_excerpt(self.found)]
        return "\n".join(lines)


Verdict = Union[Certificate, Mismatch]

_AROUND = 3


def _excerpt(place: Place) -> List[str]:
    """The operations around a place in order of offset, the place itself marked."""
    nodes = place.graph.nodes
    in_order = sorted(range(len(nodes)), key=lambda number: (nodes[number].offset, number))
    at = in_order.index(place.node)
    shown = in_order[max(at - _AROUND, 0) : at + _AROUND + 1]
    return [f"  {'->' if number == place.node else '  '} {number:5}  {render_node(nodes[number])}" for number in shown]


def render_node(node: Node) -> str:
    """One operation, its successors and its handler, as text."""
    operand = "" if node.arg is None else f" {node.arg.value!r}" if isinstance(node.arg, Const) else f" {node.arg}"
    text = f"{node.op}{operand}"
    if node.next:
        text += f" -> {', '.join(map(str, node.next))}"
    if node.handler is not None:
        lasti = " and lasti" if node.handler.lasti else ""
        text += f"  [raises to {node.handler.target}, keeps {node.handler.depth}{lasti}]"
    return text
