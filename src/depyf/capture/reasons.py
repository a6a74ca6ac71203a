"""Why Dynamo stopped: torch's text -> plain data.

Graph break in user code at /home/me/toy.py:8
Graph Break Reason: Data-dependent branching
  Explanation: Detected data-dependent branching ...          =>  Break("Data-dependent branching", line=8, ...)
  Hint: Use `torch.cond` to express dynamic control flow.
...
"""

from __future__ import annotations

import json
import linecache
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, Mapping

from depyf.capture.seams import GRAPH_BREAKS
from depyf.record.names import without_addresses
from depyf.record.schema import Break

_PLACE = re.compile(r"^Graph break in user code at (.*):(\d+)$", re.MULTILINE)
_REASON = re.compile(r"^Graph Break Reason: (.*)$", re.MULTILINE)
_FIELD = re.compile(r"^  (Explanation|Hint): (.*(?:\n(?!  \w[\w ]*: |\n|  Developer).*)*)", re.MULTILINE)
_URL = re.compile(r"please visit: (\S+)")
_NUMBER = re.compile(r"/gb(\d+)\.html")
_STACK = re.compile(r'^  File "(.*?)", line (\d+), in (.*)$', re.MULTILINE)
_ANOTHER = re.compile(r"^\*\*\* While handling this graph break, another .*\*\*\*$", re.MULTILINE)
# Reasons that only say what Dynamo was doing: the line after it says more.
_DOING = ("Encountered graph break when attempting to trace", "Failed to handle graph break gracefully")


def break_from_text(text: str) -> Break:
    """One graph break from torch's message (2.8 and newer give every part, older ones the reason)."""
    place = _PLACE.search(text)
    message, _, calls = text.partition("User code traceback:")
    first, *others = _ANOTHER.split(message)
    file, line = (place.group(1), int(place.group(2))) if place else (None, None)
    reason, url = without_addresses(_reason(first)), _first(_URL.search(first))
    number = _first(_NUMBER.search(url or ""))
    key = f"GB{number}" if number else _key_of(reason)
    fields = [(name, without_addresses(" ".join(value.split()))) for name, value in _FIELD.findall(first)]
    listed = _registered(key) if not fields else {}
    return Break(
        reason=reason,
        file=file,
        line=line,
        explanation=next((value for name, value in fields if name == "Explanation"), listed.get("Explanation")),
        hints=tuple(dict.fromkeys(value for name, value in fields if name == "Hint")) or tuple(listed.get("Hints", ())),
        url=url,
        user_code=_code(file, line),
        id=key,
        stack=tuple(f"{file}:{line} in {name}" for file, line, name in _STACK.findall(calls.partition("\n\n")[0])),
        then=_then(others),
    )


def _then(others: list[str]) -> str | None:
    """What went wrong while Dynamo handled the break."""
    if not others:
        return None
    lines = [line.strip() for line in others[0].splitlines() if line.strip()]
    explanation = next(
        (" ".join(value.split()) for name, value in _FIELD.findall(others[0]) if name == "Explanation"), ""
    )
    return without_addresses(": ".join(each for each in (lines[0] if lines else "", explanation) if each)) or None


@lru_cache(maxsize=1)
def _registry() -> Mapping[str, list[Mapping[str, Any]]]:
    """Torch's own list of graph breaks (2.8 and newer), empty without one."""
    package = GRAPH_BREAKS.find()
    path = Path(package).parent / "graph_break_registry.json" if package else None
    if path is None or not path.exists():
        return {}
    found: Mapping[str, list[Mapping[str, Any]]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _registered(key: str | None) -> Mapping[str, Any]:
    return next(iter(_registry().get(key or "", [])), {})


def _key_of(reason: str) -> str | None:
    listed = _registry().items()
    return next((key for key, entries in listed if any(each.get("Gb_type") == reason for each in entries)), None)


def _reason(text: str) -> str:
    found = _REASON.search(text)
    if found is None:
        return " ".join(text.partition("\n")[0].split()) or "no reason given"
    if not found.group(1).startswith(_DOING):
        return found.group(1).strip()
    rest = [line.strip() for line in text[found.end() :].splitlines() if line.strip()]
    return rest[0] if rest else found.group(1).strip()


def _code(file: str | None, line: int | None) -> str | None:
    if file is None or line is None:
        return None
    return linecache.getline(file, line).strip() or None


def _first(found: re.Match[str] | None) -> str | None:
    return found.group(1) if found else None
