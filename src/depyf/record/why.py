"""Why Dynamo stopped, and why it compiled again, in lines that a program's owner can act on."""

from __future__ import annotations

import re
from typing import Iterator

from depyf.record.schema import Break, Entry, Frame, Kernel, Recompile, Symbol
from depyf.record.text import one_line

_SEPARATOR = re.compile(r"[/\\]")


def place(frame: Frame, user_line: str) -> str:
    """``line 12`` of the frame's own file, ``linear.py:134`` of another one."""
    file, _, line = user_line.rpartition(":")
    return f"line {line}" if file == frame.file else short(user_line)


def short(where: str) -> str:
    """A file's name without its folders: ``linear.py:134``."""
    return re.split(_SEPARATOR, where)[-1]


def changed(found: Recompile) -> str:
    """What made an entry not fit, in words: ``size 0 of x: 4, not 3``."""
    if found.subject is None or found.what is None:
        return found.words
    if found.expected and found.actual:
        return f"{found.what} of {found.subject}: {found.actual}, not {found.expected}"
    return f"{found.what} of {found.subject} " + (f"is not {found.expected}" if found.expected else "changed")


def recompile_lines(frame: Frame, entry: Entry) -> Iterator[str]:
    """Each earlier entry with what made it not fit, and once what would avoid it."""
    advised = set()
    for each in entry.recompiles:
        where = f"   {place(frame, each.user_line)}" if each.user_line else ""
        yield f"[{each.entry}] did not fit: {one_line(changed(each))}{where}"
        if each.advice and each.advice not in advised:
            yield f"  {one_line(each.advice, 300)}"
            advised.add(each.advice)


def break_lines(frame: Frame, stop: Break) -> Iterator[str]:
    """One graph break: where, why, on which way, and what torch says about avoiding it."""
    where = place(frame, f"{stop.file}:{stop.line}") if stop.line is not None else "an unknown line"
    yield f"graph break{f' ({stop.id})' if stop.id else ''} at {where}: {one_line(stop.reason)}"
    if stop.user_code:
        yield f"  {one_line(stop.user_code)}"
    if len(calls(frame, stop)) > 1:
        yield f"  on the way {' > '.join(calls(frame, stop))}"
    if stop.then:
        yield f"  then {one_line(stop.then, 200)}"
    yield from (f"  - {one_line(hint, 130)}" for hint in stop.hints)
    if stop.url:
        yield f"  {stop.url}"


def calls(frame: Frame, stop: Break) -> list[str]:
    """The user's calls from the frame down to the break; more than one where Dynamo inlined functions."""
    name = frame.name.partition("_in_")[2].rpartition("_at_")[0] or frame.name
    found = [short(each) for each in stop.stack]
    start = [index for index, each in enumerate(found) if each.partition(" in ")[2] in (name, frame.qualname)]
    return found[start[0] :] if start else found


def symbol_lines(frame: Frame, entry: Entry) -> Iterator[str]:
    """What may change from call to call, and what the code has fixed."""
    for each in entry.symbols:
        where = f"   {place(frame, each.user_line)}" if each.user_line else ""
        if each.fixed is not None:
            yield f"not dynamic: {each.words} must be {each.fixed}{where}"
        else:
            then = f", {each.value} here" if each.value else ""
            yield f"dynamic: {each.name} is {each.words}{then}{_range(each)}{where}"


def _range(symbol: Symbol) -> str:
    if symbol.low and symbol.high:
        return f", {symbol.low} to {symbol.high}"
    return f", {symbol.low} or more" if symbol.low else f", {symbol.high} or less" if symbol.high else ""


def computation_lines(frame: Frame, kernel: Kernel) -> Iterator[str]:
    """Each kernel that the generated code calls, with the operations and the user's lines behind it."""
    for each in kernel.computes:
        nodes = ", ".join(each.nodes[:8]) + (f" and {len(each.nodes) - 8} more" if each.nodes[8:] else "")
        lines = [place(frame, line) for line in each.user_lines]
        where = ", ".join(lines[:4]) + (f" and {len(lines) - 4} more" if lines[4:] else "")
        yield f"{each.name}" + (f": {nodes}" if nodes else "") + (f"   {where}" if where else "")
