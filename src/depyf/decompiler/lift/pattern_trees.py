"""The syntax tree of a pattern, made of what its run noted about every slot.

    ("kind", s, "MATCH_SEQUENCE"), ("part", s, 0, t), ("name", t, "a")        =>        [a]

Nodes are made by name: the oldest supported Python has no classes for them.
"""

from __future__ import annotations

import ast
from typing import Any, Dict, List, Optional, Tuple

from depyf.decompiler.lift.pattern_slots import Slot, Tested


class _Part:
    """What is known about one slot."""

    def __init__(self) -> None:
        self.names: List[str] = []
        self.events: Dict[str, Tuple[Any, ...]] = {}
        self.parts: Dict[int, Slot] = {}


def pattern_of(tested: Tested) -> Any:
    """The syntax tree of a pattern."""
    known: Dict[Slot, _Part] = {}
    for event in tested.events:
        what, slot, *rest = event
        part = known.setdefault(slot, _Part())
        if what == "name":
            part.names.append(rest[0])
        elif what == "part":
            part.parts[rest[0]] = rest[1]
        else:
            part.events[what] = tuple(rest)
    return _Writer(known).pattern(tested.root)


def _node(name: str, *fields: Any) -> Any:
    return getattr(ast, name)(*fields)


class _Writer:
    def __init__(self, known: Dict[Slot, _Part]) -> None:
        self.known = known

    def pattern(self, slot: Optional[Slot]) -> Any:
        part = self.known.get(slot) if slot is not None else None
        if part is None:
            return _node("MatchAs", None, None)
        pattern = self._tested(part)
        if pattern is None and "dropped" in part.events and part.names:
            pattern = _node("MatchAs", None, None)
        for name in part.names:
            pattern = _node("MatchAs", pattern, name)
        return _node("MatchAs", None, None) if pattern is None else pattern

    def _tested(self, part: _Part) -> Any:
        events = part.events
        if "or" in events:
            return _node("MatchOr", [self.pattern(root) for root in events["or"][0]])
        if "value" in events:
            return _node("MatchValue", events["value"][0])
        if "singleton" in events:
            return _node("MatchSingleton", events["singleton"][0])
        if "class" in events:
            return self._class(part)
        if "kind" in events:
            return self._sequence(part) if events["kind"][0] == "MATCH_SEQUENCE" else self._mapping(part)
        return None

    def _class(self, part: _Part) -> Any:
        kind, positional, names = part.events["class"]
        patterns = [self.pattern(part.parts.get(index)) for index in range(positional + len(names))]
        return _node("MatchClass", kind, patterns[:positional], names, patterns[positional:])

    def _mapping(self, part: _Part) -> Any:
        keys = part.events.get("keys", ([],))[0]
        patterns = [self.pattern(part.parts.get(index)) for index in range(len(keys))]
        rest = None
        if "rest" in part.events:
            names = self.known[part.events["rest"][0]].names
            rest = names[0] if names else None
        return _node("MatchMapping", keys, patterns, rest)

    def _sequence(self, part: _Part) -> Any:
        test, length = part.events.get("length", (">=", 0))
        last = [index for index in part.parts if index < 0]
        after = -min(last) if last else 0
        patterns = [self.pattern(part.parts.get(index)) for index in range(length - after)]
        if test == ">=":
            patterns.append(self._star(part))
        patterns += [self.pattern(part.parts.get(index)) for index in range(-after, 0)]
        return _node("MatchSequence", patterns)

    def _star(self, part: _Part) -> Any:
        star = part.events.get("star")
        names = self.known[star[0]].names if star is not None and star[0] in self.known else []
        return _node("MatchStar", names[0] if names else None)


def constant_statement(value: ast.expr) -> Any:
    """A statement that evaluates a constant, which the compiler drops when it is not the subject of a ``match``."""
    made = _node("Match", value, [_node("match_case", _node("MatchAs", None, None), None, [ast.Pass()])])
    made.evaluated = value
    return made


def is_wildcard(case: Any) -> bool:
    """Whether a clause of ``match`` is ``case _``, without a guard."""
    pattern = case.pattern
    catches_all = type(pattern).__name__ == "MatchAs" and pattern.pattern is None and pattern.name is None
    return catches_all and case.guard is None


def evaluated_by(statement: ast.stmt) -> Optional[ast.expr]:
    """What a statement evaluates and drops; None if it does anything else."""
    return statement.value if isinstance(statement, ast.Expr) else getattr(statement, "evaluated", None)
