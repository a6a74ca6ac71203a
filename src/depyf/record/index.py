"""``index.md``: what happened, where it is written, and what could not be seen."""

from __future__ import annotations

from typing import Iterator, Mapping

from depyf.record.full_code import proved
from depyf.record.schema import Entry, Frame, Session
from depyf.record.text import count, one_line

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


def index(session: Session) -> str:
    """The page, ending in a newline."""
    return "\n".join([*_head(session), *_functions(session), *_unseen(session), "## Files", "", _FILES])


def _head(session: Session) -> Iterator[str]:
    entries = [entry for frame in session.frames for entry in frame.entries]
    own = [frame for frame in session.frames if frame.resumes is None]
    compiled = sum(1 for entry in entries if entry.outcome == "compiled")
    again = sum(1 for entry in entries if entry.recompile_reasons)
    breaks = sum(len(entry.breaks) for entry in entries)
    versions = ", ".join(f"{name} {version}" for name, version in session.versions.items())
    yield "# What torch.compile did"
    yield ""
    yield f"`{' '.join(session.command)}` ({versions})" + ("" if session.rank is None else f", rank {session.rank}")
    yield ""
    open_end = "" if session.finished else " Still running, or ended without leaving the block."
    yield (
        f"{count(len(own), 'function')}, {count(compiled, 'compilation')}, {count(breaks, 'graph break')}, "
        f"{count(again, 'recompilation')}.{open_end}"
    )
    yield ""


def _functions(session: Session) -> Iterator[str]:
    if not session.frames:
        yield "Nothing was compiled while depyf watched. A function that was compiled before is not compiled again."
        yield ""
    continued: dict[int | None, list[Frame]] = {}
    for frame in session.frames:
        continued.setdefault(frame.resumes, []).append(frame)
    for frame in continued.get(None, []):
        yield from _function(frame, list(_with_resumes(frame, continued)))


def _function(frame: Frame, family: list[Frame]) -> Iterator[str]:
    where = f"[{frame.full_code_file}]({frame.full_code_file})" if frame.full_code_file else "no file"
    yield f"## {frame.qualname}, {frame.file}:{frame.line}"
    yield ""
    yield f"{where}"
    yield ""
    yield "| id | function | outcome | graph | shown as |"
    yield "|---|---|---|---|---|"
    yield from (_row(each, entry) for each in family for entry in each.entries)
    yield ""
    yield from _reasons(family)


def _reasons(family: list[Frame]) -> Iterator[str]:
    lines: list[str] = []
    for each in family:
        for entry in each.entries:
            lines += [f"* [{entry.compile_id}] compiled again: {one_line(why)}" for why in entry.recompile_reasons]
            lines += [
                f"* [{entry.compile_id}] graph break, line {stop.line}: {one_line(stop.reason)}"
                + (f" ([what to do]({stop.url}))" if stop.url else "")
                for stop in entry.breaks
            ]
    if lines:
        yield from lines
        yield ""


def _with_resumes(frame: Frame, continued: Mapping[int | None, list[Frame]]) -> Iterator[Frame]:
    yield frame
    for each in continued.get(frame.number, []):
        yield from _with_resumes(each, continued)


def _row(frame: Frame, entry: Entry) -> str:
    graph = entry.graph.name if entry.graph else ""
    if entry.transformed_file is None:
        shown = one_line(entry.reason or "", 90)
    elif entry.refusal is not None:
        shown = f"[disassembly]({entry.transformed_file}): {one_line(entry.refusal, 80)}"
    else:
        shown = f"[{proved(entry.certificate)}]({entry.transformed_file})"
    return f"| {entry.compile_id} | `{frame.name}` | {entry.outcome} | {graph} | {shown.replace('|', chr(92) + '|')} |"


def _unseen(session: Session) -> Iterator[str]:
    if not session.missing and not session.failures:
        return
    yield "## What could not be seen"
    yield ""
    yield from (f"* {each}" for each in session.missing)
    for failure in session.failures:
        times = f" ({failure.count} times)" if failure.count > 1 else ""
        yield f"* {failure.during}: {one_line(failure.what, 300)}{times}"
    yield ""
