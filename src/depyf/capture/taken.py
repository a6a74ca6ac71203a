"""What each event of the trace adds to the compilation that it is about."""

from __future__ import annotations

from typing import Callable

from depyf.capture import events
from depyf.capture.compilation import Compilation
from depyf.capture.events import Event
from depyf.capture.reasons import break_from_text
from depyf.capture.recompiles import reasons_in
from depyf.capture.symbols import fixed, symbol_of


def keep(compilation: Compilation, event: Event) -> None:
    """A graph, a kernel, or what is told about one, to be written later; and what came out of a cache."""
    cache = events.CACHE_HITS.get(event.name)
    if cache is not None and cache not in compilation.caches:
        compilation.caches.append(cache)
    if event.name in events.STAGES or event.name in (events.KERNEL, events.NAMED, events.IR, *events.PROVENANCE):
        compilation.pending.append(event)


def _take_guards(compilation: Compilation, event: Event) -> None:
    compilation.guard_tree = str(event.payload or "")


def _take_break(compilation: Compilation, event: Event) -> None:
    found = break_from_text(str(event.payload or ""))
    if found not in compilation.breaks:
        compilation.breaks.append(found)


def _take_recompile(compilation: Compilation, event: Event) -> None:
    compilation.recompile_reasons = reasons_in(event.payload)


def _take_symbol(compilation: Compilation, event: Event) -> None:
    found = symbol_of(event.details)
    compilation.symbols[found.name] = found


def _take_fixed(compilation: Compilation, event: Event) -> None:
    name = str(event.details.get("symbol"))
    if name in compilation.symbols:
        compilation.symbols[name] = fixed(compilation.symbols[name], event.details)


TAKES: dict[str, Callable[[Compilation, Event], None]] = {
    events.GUARDS: _take_guards,
    events.BREAK: _take_break,
    events.RECOMPILE: _take_recompile,
    events.FIXED: _take_fixed,
    **dict.fromkeys(events.SYMBOLS, _take_symbol),
}
