"""Why an entry did not fit, so that Dynamo compiled again: torch's text, what both entries guard -> plain data.

    0/0: tensor 'x' size mismatch at index 0. expected 3, actual 4
        =>  Recompile("0/0", subject="x", what="size 0", expected="3", actual="4", user_line="/home/me/toy.py:12", ...)
    0/1: n == 1     # y = x * n  # me/toy.py:12 in f
        =>  Recompile("0/1", subject="n", what="value", expected="1", actual="2", ...)

Torch does not tell the actual value of the second one: the new entry's own guards do.
"""

from __future__ import annotations

import json
import re
from typing import Any, Iterable, Mapping, Sequence

from depyf.capture.advice import advice
from depyf.capture.guard_words import plain
from depyf.record.names import without_addresses
from depyf.record.schema import Guard, Recompile

_ENTRY = re.compile(r"(!?\d+(?:/\d+)+): (.*)", re.DOTALL)
_HINT = re.compile(r" \(HINT: (.*?)\)\s*\Z")
_PLACE = re.compile(r"(.*):(\d+) in \S+\Z")
_STACK = re.compile(r'File "(.*?)", line (\d+), in .*\n\s+(.*)')
_TENSOR = re.compile(r"tensor '(.*?)' (?:Tensor )?(.*?) mismatch(?: at index (\d+))?\. (.*)", re.DOTALL)
_EXPECTED = re.compile(
    r"(?:Expected device index to be|expected(?: requires_grad=| type to be)?) ?(.*?)(?:, actual (.*?))?(\. .*)?\Z",
    re.DOTALL | re.IGNORECASE,
)
_DUPLICATES = re.compile(r"Duplicate tensors? found: (.*)", re.DOTALL)
_STATE = re.compile(r"GLOBAL_STATE changed: (.*)", re.DOTALL)
_STATE_JSON = re.compile(r"___check_global_state\(\) against (\{.*\})", re.DOTALL)
_VALUE = re.compile(r"([^=]*) (?:==|is(?= (?:None|True|False)\Z)) (.*)\Z", re.DOTALL)
_LENGTH = re.compile(r"len\((.*)\) == (\d+)\Z", re.DOTALL)
_GRAD = {"0": "False", "1": "True"}


def reasons_in(payload: Any) -> tuple[str, ...]:
    """The texts in one event: one for each entry that did not fit, the newest first."""
    try:
        reasons = json.loads(payload)
    except (TypeError, ValueError):
        reasons = payload
    listed: list[Any] = reasons if isinstance(reasons, list) else [reasons]
    return tuple(str(each) for each in listed)


def said(found: Recompile) -> str:
    """The reason in one line."""
    line = f" (line {found.user_line.rpartition(':')[2]})" if found.user_line else ""
    return f"{found.entry}: {found.words}{line}"


def recompile(text: str, guards: Sequence[Guard], before: Mapping[str, Sequence[Guard]]) -> Recompile:
    """One reason. ``guards`` are the new entry's, ``before`` those of the entries that did not fit, by compile id."""
    found = _ENTRY.match(text)
    entry, rest = (found.group(1), found.group(2)) if found else ("", text)
    old = before.get(entry, ())
    first, _, stack = rest.partition("\n")
    condition, _, note = first.partition("  # ")
    hint = _HINT.search(first)
    condition = _HINT.sub("", condition)
    facts = _facts(condition.strip(), old, guards)
    subject, what, expected, actual = (_clean(each) for each in facts)
    line, code = _place(note, stack) or _place_of(subject, old)
    return Recompile(
        entry=entry,
        words=_clean(condition) or "",
        subject=subject,
        what=what,
        expected=expected,
        actual=actual,
        user_line=line,
        user_code=code,
        advice=hint.group(1)
        if hint and not hint.group(1).startswith("type ")  # which only repeats the condition
        else advice(subject, what, expected, actual, _is_dynamic(subject, what, guards)),
    )


def _facts(text: str, old: Sequence[Guard], new: Sequence[Guard]) -> Any:
    """(what it is about, which property of it, expected, actual); None where torch does not tell."""
    tensor = _TENSOR.match(text)
    if tensor is not None:
        return _tensor_facts(tensor)
    duplicates = _DUPLICATES.match(text)
    if duplicates is not None:
        names = re.findall(r'"(.*?)"', duplicates.group(1))
        return ", ".join(names), "aliasing", "different tensors", "the same tensor"
    state = _STATE.match(text)
    if state is not None:
        return _state_facts(state.group(1).split(), old, new)
    return _value_facts(text, new)


def _tensor_facts(found: re.Match[str]) -> Any:
    subject, what, index, rest = found.groups()
    values = _EXPECTED.match(rest)
    expected, actual = (values.group(1), values.group(2)) if values else (None, None)
    if what == "requires_grad" and expected in _GRAD:
        expected = _GRAD[expected]
        actual = str(expected != "True")
    return subject, f"{what} {index}" if index is not None else what, expected, actual


def _state_facts(names: list[str], old: Sequence[Guard], new: Sequence[Guard]) -> Any:
    states = [_state_of(old), _state_of(new)]
    told = [", ".join(str(state[name]) for name in names if name in state) or None for state in states]
    return "torch", ", ".join(names) or "global state", told[0], told[1]


def _state_of(guards: Sequence[Guard]) -> Mapping[str, Any]:
    for guard in guards:
        found = _STATE_JSON.search(guard.text) if guard.kind == "GLOBAL_STATE" else None
        if found is not None:
            state = json.loads(found.group(1))
            return state if isinstance(state, dict) else {}
    return {}


def _value_facts(text: str, new: Sequence[Guard]) -> Any:
    empty = re.match(r"not (\S+)\Z", text)
    if empty is not None:
        text = f"len({empty.group(1)}) == 0"
    length = _LENGTH.match(text)
    if length is not None:
        return length.group(1), "length", length.group(2), _value_in(new, _LENGTH, length.group(1))
    kind = re.match(r"_{2,3}check_(obj|type)_id\((.*?), \S+\)(?:, type=(.*))?", text, re.DOTALL)
    if kind is not None:
        what = {"obj": "identity", "type": "type"}[kind.group(1)]
        return kind.group(2), what, kind.group(3) if what == "type" else None, None
    value = _VALUE.match(text)
    if value is not None and re.match(r"[\w.\[\]'\"]+\Z", value.group(1)):
        return value.group(1), "value", value.group(2), _value_in(new, _VALUE, value.group(1))
    return None, None, None, None


def _value_in(guards: Sequence[Guard], pattern: re.Pattern[str], subject: str) -> str | None:
    """What the new entry compares the same thing with."""
    for guard in guards:
        found = pattern.match(guard.words)
        if found is not None and found.group(1) == plain(subject):
            return found.group(2)
    return None


def _place(note: str, stack: str) -> tuple[str | None, str | None] | None:
    """The user's line: in full in the stack, cut from the left in the note."""
    frames = _STACK.findall(stack)
    if frames:
        file, line, code = frames[-1]
        return f"{file}:{line}", code.strip()
    code, _, where = re.sub(_HINT, "", note).rpartition("  # ")
    place = _PLACE.match(where.strip())
    return (f"{place.group(1)}:{place.group(2)}", code.strip() or None) if place else None


def _place_of(subject: str | None, old: Iterable[Guard]) -> tuple[str | None, str | None]:
    """The line that made Dynamo guard it, from the guards of the entry that did not fit."""
    for guard in old:
        if subject and guard.user_line and re.match(re.escape(subject) + r"\b", guard.words):
            return guard.user_line, guard.user_code
    return None, None


def _is_dynamic(subject: str | None, what: str | None, guards: Sequence[Guard]) -> bool:
    """The new entry takes any value there."""
    if subject is None or what is None:
        return False
    if what.startswith("size "):
        index = int(what.rpartition(" ")[2])
        for guard in guards:
            found = (
                re.match(re.escape(subject) + r": \w+\[(.*?)\]", guard.words) if guard.kind == "TENSOR_MATCH" else None
            )
            sizes = found.group(1).split(", ") if found else []
            if index < len(sizes):
                return sizes[index] == "any"
    return what == "value" and not any(guard.words.startswith(f"{subject} == ") for guard in guards)


def _clean(text: str | None) -> str | None:
    return None if text is None else " ".join(without_addresses(plain(text)).split())
