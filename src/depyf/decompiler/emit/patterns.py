"""Patterns of ``case`` (PEP 634).  Their levels are their own: ``as`` binds loosest, then ``|``, then everything else.

    MatchAs(MatchOr([p, q]), "n")   =>   AS, [Child(p | q, ALTERNATIVES), " as n"]

Nodes are typed Any: the oldest supported Python has no classes for them.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List

from depyf.decompiler.emit.pieces import ATOM, SUM, Child, Inline, Pieces, joined, listed

AS, ALTERNATIVES, CLOSED = range(3)


def value(node: Any) -> Inline:
    return ATOM, [Child(node.value, SUM)]


def singleton(node: Any) -> Inline:
    return ATOM, [repr(node.value)]


def sequence(node: Any) -> Inline:
    return ATOM, ["[", *listed(node.patterns, AS), "]"]


def mapping(node: Any) -> Inline:
    entries: List[Pieces] = [[Child(key), ": ", Child(pattern, AS)] for key, pattern in zip(node.keys, node.patterns)]
    if node.rest:
        entries.append([f"**{node.rest}"])
    return ATOM, ["{", *joined(entries), "}"]


def instance(node: Any) -> Inline:
    arguments: List[Pieces] = [[Child(pattern, AS)] for pattern in node.patterns]
    arguments += [[f"{name}=", Child(pattern, AS)] for name, pattern in zip(node.kwd_attrs, node.kwd_patterns)]
    return ATOM, [Child(node.cls), "(", *joined(arguments), ")"]


def star(node: Any) -> Inline:
    return ATOM, [f"*{node.name or '_'}"]


def capture(node: Any) -> Inline:
    if node.pattern is None:
        return ATOM, [node.name or "_"]
    return AS, [Child(node.pattern, ALTERNATIVES), f" as {node.name}"]


def alternatives(node: Any) -> Inline:
    return ALTERNATIVES, joined(([Child(pattern, CLOSED)] for pattern in node.patterns), " | ")


PATTERNS: Dict[str, Callable[[Any], Inline]] = {
    "MatchAs": capture,
    "MatchClass": instance,
    "MatchMapping": mapping,
    "MatchOr": alternatives,
    "MatchSequence": sequence,
    "MatchSingleton": singleton,
    "MatchStar": star,
    "MatchValue": value,
}
