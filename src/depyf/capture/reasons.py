"""Why Dynamo stopped, and why it compiled again: torch's texts -> plain data.

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
from typing import Any

from depyf.record.names import without_addresses
from depyf.record.schema import Break

_PLACE = re.compile(r"^Graph break in user code at (.*):(\d+)$", re.MULTILINE)
_REASON = re.compile(r"^Graph Break Reason: (.*)$", re.MULTILINE)
_FIELD = re.compile(r"^  (Explanation|Hint): (.*(?:\n(?!  \w[\w ]*: |\n|  Developer).*)*)", re.MULTILINE)
_URL = re.compile(r"please visit: (\S+)")
# A reason that only says which instruction was traced: the line after it says more.
_TRACING = "Encountered graph break when attempting to trace"


def break_from_text(text: str) -> Break:
    """One graph break from torch's message (2.8 and newer give every part, older ones the reason)."""
    place = _PLACE.search(text)
    fields = [(name, " ".join(value.split())) for name, value in _FIELD.findall(text)]
    file, line = (place.group(1), int(place.group(2))) if place else (None, None)
    return Break(
        reason=without_addresses(_reason(text)),
        file=file,
        line=line,
        explanation=next((without_addresses(value) for name, value in fields if name == "Explanation"), None),
        hints=tuple(dict.fromkeys(without_addresses(value) for name, value in fields if name == "Hint")),
        url=_first(_URL.search(text)),
        user_code=_code(file, line),
    )


def recompile_reasons(payload: Any) -> tuple[str, ...]:
    """``0/0: tensor 'a' size mismatch at index 0. expected 10, actual 8``, one for each entry that did not fit."""
    try:
        reasons = json.loads(payload)
    except (TypeError, ValueError):
        reasons = payload
    listed: list[Any] = reasons if isinstance(reasons, list) else [reasons]
    return tuple(_recompile(str(each)) for each in listed)


def _recompile(text: str) -> str:
    first = text.partition("\n")[0]
    condition, _, place = first.partition("  # ")
    where = re.search(r":(\d+) in \w+", place)
    words = " ".join(re.sub(r"\b[LG]\['(\w+)'\]", r"\1", condition).split())
    return without_addresses(words + (f" (line {where.group(1)})" if where else ""))


def _reason(text: str) -> str:
    found = _REASON.search(text)
    if found is None:
        return " ".join(text.partition("\n")[0].split()) or "no reason given"
    if not found.group(1).startswith(_TRACING):
        return found.group(1).strip()
    rest = [line.strip() for line in text[found.end() :].splitlines() if line.strip()]
    return rest[0] if rest else found.group(1).strip()


def _code(file: str | None, line: int | None) -> str | None:
    if file is None or line is None:
        return None
    return linecache.getline(file, line).strip() or None


def _first(found: re.Match[str] | None) -> str | None:
    return found.group(1) if found else None
