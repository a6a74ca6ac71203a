"""The guards of an entry as a function that says whether they hold.

# runs when guards_0_0(a, b): every condition holds
@_check.entry(lambda a, b: locals())
def guards_0_0(L, G, check):
    yield check.tensor(L['a'], 'float32', [10])        # a: float32[10], cpu         line 7
    yield check.check_no_aliasing(L['a'], L['b'])      # a, b are different tensors
    yield check.rest()                                 # and 14 on torch itself: grad mode and ...
"""

from __future__ import annotations

import re
from typing import Iterator, Sequence

from depyf.record.schema import Entry, Frame, Guard
from depyf.record.text import comment, count, is_expression, one_line
from depyf.record.why import place

IMPORT = "from depyf.capture import guard_checks as _check\n"
LONGEST_LIST = 36
_LONGEST_CODE = 84
_LONGEST_WORDS = 60


def guard_names(entries: Sequence[Entry]) -> list[str]:
    """``guards_0_1`` for [0/1]: one name for each entry, different within the list."""
    names: list[str] = []
    for entry in entries:
        name = "guards_" + re.sub("[^0-9A-Za-z]+", "_", entry.compile_id).strip("_")
        while name in names:  # torch._dynamo.reset() lets compile ids begin anew
            name += "_again"
        names.append(name)
    return names


def listed(guards: Sequence[Guard]) -> list[Guard]:
    """Those that have a line of their own: about the user's values, and not too many."""
    return [guard for guard in guards if not guard.about_torch][:LONGEST_LIST]


def guard_function(frame: Frame, entry: Entry, name: str) -> str:
    """The function's text, ending in a newline."""
    own = listed(entry.guards)
    widest = max((len(guard.words) for guard in own if len(guard.words) <= _LONGEST_WORDS), default=0)
    lines = [(_code(guard), _said(frame, guard, widest)) for guard in own]
    lines.append(("check.rest()", _rest(entry, own)))
    width = max((len(code) for code, _ in lines if len(code) <= _LONGEST_CODE), default=0)
    arguments = "" if frame.arguments is None else frame.arguments
    call = f"{name}({arguments})" if frame.arguments is not None else f"{name}.on(locals)"
    taking = f"lambda {arguments}: locals()" if frame.arguments is not None else "dict"
    head = comment(f"runs when {call} says True; {name}.why_not(...) names the condition that fails")
    head += f"@_check.entry({taking})\ndef {name}(L, G, check):\n"
    return head + "".join(_written(code, words, width) for code, words in lines)


def _code(guard: Guard) -> str:
    return guard.python if guard.python is not None and is_expression(guard.python) else "check.unknown()"


def _said(frame: Frame, guard: Guard, width: int) -> str:
    where = place(frame, guard.user_line) if guard.user_line else ""  # the user's line that made Dynamo check this
    words = f"{one_line(guard.words, 300):{width}}   {where}" if where else one_line(guard.words, 300)
    return words if _code(guard) == guard.python else f"{words} (this one cannot be evaluated in Python)"


def _rest(entry: Entry, own: Sequence[Guard]) -> str:
    parts = []
    more = sum(1 for guard in entry.guards if not guard.about_torch) - len(own)
    if more:
        parts.append(count(more, "more condition"))
    kept = [guard for guard in entry.guards if guard.about_torch]
    if kept:
        parts.append(f"{len(kept)} on torch itself: {', '.join(_kinds(kept))}")
    return f"and {', and '.join(parts)}" if parts else "nothing else"


def _kinds(guards: Sequence[Guard]) -> Iterator[str]:
    words = list(dict.fromkeys(guard.words for guard in guards))
    yield from words[:4]
    if words[4:]:
        yield "…"


def _written(code: str, words: str, width: int) -> str:
    if len(code) > _LONGEST_CODE or len(words) > 2 * _LONGEST_WORDS:
        return comment(words, "    ") + f"    yield {code}\n"
    return f"    yield {code:{width}}  " + comment(words)
