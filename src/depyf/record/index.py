"""``index.md``: what was compiled, in how many pieces, why each break and recompilation, and what could not be seen."""

from __future__ import annotations

from typing import Iterable, Iterator, Mapping, Sequence

from depyf.record.full_code import proved
from depyf.record.schema import Break, Entry, Frame, Recompile, Session
from depyf.record.text import count, one_line
from depyf.record.why import changed, short

_FILES = """\
| file | what it is |
|---|---|
| `full_code_for_<fn>_<n>.py` | start here: one function, all its compiled versions, in order |
| `full_code_for_<fn>_<n>.guards.txt` | torch's own text of every guard |
| `__transformed_code_<n>_for_<fn>.py` | the code that Dynamo put in place of the function |
| `__compiled_fn_<id>.<Stage>.<k>.py` | one form of a graph, with the shapes of its values |
| `__compiled_fn_<id>.kernel_<k>.py` | what Inductor generated for a graph |
| `depyf.json` | all of this as data |
"""

Family = Sequence[Frame]
# The phases of a compilation, which Entry.times has besides the whole.
_INSIDE = (
    "backend",
    "inductor",
    "pre grad passes",
    "joint passes",
    "post grad passes",
    "code generation",
    "kernels",
)


def index(session: Session) -> str:
    """The page, ending in a newline."""
    families = list(_families(session))
    parts = (_head(session, families), _overview(families), _breaks(families), _recompiles(families))
    rest = (_not_compiled(families), _details(families), _unseen(session), ("## Files", "", _FILES))
    return "\n".join(line for part in (*parts, *rest) for line in part)


def _families(session: Session) -> Iterator[list[Frame]]:
    """Each function with everything that continues it after a graph break."""
    continued: dict[int | None, list[Frame]] = {}
    for frame in session.frames:
        continued.setdefault(frame.resumes, []).append(frame)
    for frame in continued.get(None, []):
        yield list(_with_resumes(frame, continued))


def _with_resumes(frame: Frame, continued: Mapping[int | None, list[Frame]]) -> Iterator[Frame]:
    yield frame
    for each in continued.get(frame.number, []):
        yield from _with_resumes(each, continued)


def _entries(family: Iterable[Frame]) -> list[Entry]:
    return [entry for frame in family for entry in frame.entries]


def _head(session: Session, families: Sequence[Family]) -> Iterator[str]:
    entries = _entries(session.frames)
    compiled = [entry for entry in entries if entry.outcome == "compiled" and not entry.earlier]
    versions = ", ".join(f"{name} {version}" for name, version in session.versions.items())
    yield "# What torch.compile did"
    yield ""
    yield f"`{' '.join(session.command)}` ({versions})" + ("" if session.rank is None else f", rank {session.rank}")
    yield ""
    open_end = "" if session.finished else " Still running, or ended without leaving the block."
    numbers = (
        (len(families), "function"),
        (len(compiled), "compilation"),
        (sum(1 for entry in entries if entry.graph and not entry.earlier), "graph"),
        (sum(len(entry.breaks) for entry in entries), "graph break"),
        (sum(1 for entry in entries if entry.recompile_reasons), "recompilation"),
    )
    took = sum(entry.times.get("compile", 0.0) for entry in entries)
    time = f" Compiling took {took:.1f} s." if took else ""
    yield f"{', '.join(count(number, noun) for number, noun in numbers)}.{time}{open_end}"
    yield ""


def _overview(families: Sequence[Family]) -> Iterator[str]:
    if not families:
        yield "Nothing was compiled while depyf watched. A function that was compiled before is not compiled again."
        yield ""
        return
    yield "| function | where | entries | graphs | breaks | recompiled | compile time | read |"
    yield "|---|---|---|---|---|---|---|---|"
    yield from map(_summary, families)
    yield ""
    told = [family for family in families if family[0].full_code_file]
    if told:
        file = max(told, key=_troubles)[0].full_code_file
        yield f"Read next: [{file}]({file}), one function's story from top to bottom."
        yield ""


def _troubles(family: Family) -> tuple[int, int]:
    entries = _entries(family)
    stops = sum(len(entry.breaks) for entry in entries) + sum(1 for entry in entries if entry.recompile_reasons)
    return stops, len(entries)


def _summary(family: Family) -> str:
    frame, entries = family[0], _entries(family)
    file = f"[{frame.full_code_file}]({frame.full_code_file})" if frame.full_code_file else "no file"
    cells = (
        f"`{frame.qualname}`",
        f"{short(frame.file)}:{frame.line}",
        _outcomes(entries),
        str(sum(1 for entry in entries if entry.graph)),
        str(sum(len(entry.breaks) for entry in entries)),
        str(sum(1 for entry in entries if entry.recompile_reasons)),
        f"{sum(entry.times.get('compile', 0.0) for entry in entries):.2f} s",
        file,
    )
    return _cells(cells)


def _outcomes(entries: Iterable[Entry]) -> str:
    counts: dict[str, int] = {}
    for entry in entries:
        outcome = "earlier" if entry.earlier else entry.outcome
        counts[outcome] = counts.get(outcome, 0) + 1
    return ", ".join(f"{number} {outcome}" for outcome, number in counts.items())


def _breaks(families: Sequence[Family]) -> Iterator[str]:
    """The same break at the same line is told once."""
    ids: dict[tuple[str | None, int | None, str], list[str]] = {}
    first: dict[tuple[str | None, int | None, str], Break] = {}
    for entry in _entries(frame for family in families for frame in family):
        for stop in entry.breaks:
            key = (stop.file, stop.line, stop.reason)
            first.setdefault(key, stop)
            ids.setdefault(key, []).append(entry.compile_id)
    if first:
        yield "## Why Dynamo stopped"
        yield ""
    for key, stop in first.items():
        yield from _break(stop, ids[key])
    if first:
        yield ""


def _break(stop: Break, ids: Sequence[str]) -> Iterator[str]:
    where = f"{short(stop.file)}:{stop.line}" if stop.file else "an unknown line"
    code = f" `{one_line(stop.user_code, 100)}`" if stop.user_code else ""
    known = f" ([{stop.id}]({stop.url}))" if stop.id and stop.url else f" ({stop.url})" if stop.url else ""
    yield f"* **{one_line(stop.reason)}**{known} at {where}{code}: {_ids(ids)}"
    if stop.explanation:
        yield f"  {one_line(stop.explanation, 240)}"
    if stop.then:
        yield f"  While handling it: {one_line(stop.then, 240)}"
    yield from (f"  * {one_line(hint, 240)}" for hint in stop.hints)


def _recompiles(families: Sequence[Family]) -> Iterator[str]:
    rows = [row for family in families for row in _causes(family)]
    if not rows:
        return
    yield "## Why it was compiled again"
    yield ""
    yield "| function | what changed | at | entries | what would avoid it |"
    yield "|---|---|---|---|---|"
    yield from rows
    yield ""


def _causes(family: Family) -> Iterator[str]:
    """One row for each thing that changed, with all entries that were made for it."""
    found: dict[str, tuple[Recompile, list[str], str]] = {}
    for frame in family:
        for entry in frame.entries:
            for each in entry.recompiles:
                key = f"{each.subject} {each.what}" if each.subject else each.words
                ids = found.setdefault(key, (each, [], changed(each)))[1]
                if entry.compile_id not in ids:
                    ids.append(entry.compile_id)
    for each, ids, words in found.values():
        where = short(each.user_line) if each.user_line else ""
        code = f" `{one_line(each.user_code, 60)}`" if each.user_code else ""
        cells = (f"`{family[0].qualname}`", one_line(words), where + code, _ids(ids), one_line(each.advice or "", 240))
        yield _cells(cells)


def _not_compiled(families: Sequence[Family]) -> Iterator[str]:
    left = [(frame, entry) for family in families for frame in family for entry in frame.entries]
    left = [(frame, entry) for frame, entry in left if entry.outcome != "compiled"]
    if left:
        yield "## What runs as it was written"
        yield ""
        for frame, entry in left:
            yield f"* [{entry.compile_id}] `{frame.qualname}` ({entry.outcome}): {one_line(entry.reason or '', 240)}"
        yield ""


def _details(families: Sequence[Family]) -> Iterator[str]:
    for family in families:
        yield f"## {family[0].qualname}, {family[0].file}:{family[0].line}"
        yield ""
        yield "| id | function | outcome | graph | time | shown as |"
        yield "|---|---|---|---|---|---|"
        yield from (_row(frame, entry) for frame in family for entry in frame.entries)
        yield ""


def _row(frame: Frame, entry: Entry) -> str:
    if entry.transformed_file is None:
        shown = ""
    elif entry.refusal is not None:
        shown = f"[disassembly]({entry.transformed_file}): {one_line(entry.refusal, 80)}"
    else:
        shown = f"[{proved(entry.certificate)}]({entry.transformed_file})"
    time = _time(entry)
    graph = entry.graph.name if entry.graph else ""
    outcome = "earlier" if entry.earlier else entry.outcome
    return _cells((entry.compile_id, f"`{frame.name}`", outcome, graph, time, shown))


def _time(entry: Entry) -> str:
    """``1.20 s (backend 0.90, inductor 0.70, kernels 0.30), backward 0.50 s``; what took no time is left out."""
    if "compile" not in entry.times:
        return ""
    inside = [f"{name} {seconds:.2f}" for name, seconds in entry.times.items() if name in _INSIDE and seconds >= 0.005]
    late = entry.times.get("backward", 0.0)
    return (
        f"{entry.times['compile']:.2f} s"
        + (f" ({', '.join(inside)})" if inside else "")
        + (f", backward {late:.2f} s" if late >= 0.005 else "")
    )


def _cells(cells: Iterable[str]) -> str:
    return "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in cells) + " |"


def _ids(ids: Sequence[str]) -> str:
    """``[0/0] [0/1] [0/2] and 5 more``."""
    shown = [f"[{each}]" for each in dict.fromkeys(ids)]
    more = f" and {len(shown) - 6} more" if len(shown) > 7 else ""
    return " ".join(shown[:6] if more else shown) + more


# What torch makes only on the way to a graph that is in no cache yet.
_NOT_REPLAYED = (
    "BEFORE_PRE_GRAD, AFTER_PRE_GRAD, BEFORE_JOINT_PASSES, AFTER_JOINT_PASSES, BEFORE_POST_GRAD and Inductor's IR"
)


def _unseen(session: Session) -> Iterator[str]:
    cached = [entry.compile_id for entry in _entries(session.frames) if entry.graph and entry.graph.caches]
    earlier = [entry.compile_id for entry in _entries(session.frames) if entry.earlier]
    if not (session.missing or session.failures or cached or earlier):
        return
    yield "## What could not be seen"
    yield ""
    yield from (f"* {each}" for each in session.missing)
    if earlier:
        yield (
            f"* {_ids(earlier)} were compiled before depyf watched: code and guards are read from torch's cache, which "
            "has no graphs and kernels. To see them, call `torch._dynamo.reset()` in the block, and the function again."
        )
    if cached:
        yield (
            f"* {_ids(cached)} came out of torch's caches, which hold no {_NOT_REPLAYED}. To see them, compile anew: "
            "`TORCHINDUCTOR_FORCE_DISABLE_CACHES=1`, or an empty `TORCHINDUCTOR_CACHE_DIR`."
        )
    for failure in session.failures:
        times = f" ({failure.count} times)" if failure.count > 1 else ""
        yield f"* {failure.during}: {one_line(failure.what, 300)}{times}"
    yield ""
