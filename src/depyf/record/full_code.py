"""``full_code_for_<fn>_<n>.py``: a frame's whole story in one valid Python file.

    the function as written, with the lines where Dynamo stopped
    [0/0]   when it runs (guards in words), the code that runs, its graph and kernels
            each resume function, in place, in the same form
    [0/1]   why it was compiled again, ...

Resume functions are shown under the name that the code above them calls.
"""

from __future__ import annotations

import re
from typing import Iterator, Sequence

from depyf.record.guard_function import IMPORT, guard_function, guard_names
from depyf.record.names import without_uuid
from depyf.record.resumes import break_words
from depyf.record.schema import Certificate, Entry, Frame, Graph, Resume, Session
from depyf.record.text import comment, count, docstring, one_line
from depyf.record.why import break_lines, changed, computation_lines, recompile_lines, symbol_lines

WIDTH = 110
# Only at the head of a file; annotations are shown as they were written without it as well.
_FUTURE = "from __future__ import annotations\n"
_DEFINITION = re.compile(r"^ *(?:async )?def (\w+)", re.MULTILINE)


def full_code(session: Session, frame: Frame) -> str:
    """The file for ``frame``, which is no resume function."""
    return "".join(_Story(session).chapters(frame))


class _Story:
    def __init__(self, session: Session) -> None:
        self.session = session
        self.told: set[int] = set()
        self.guards: dict[int, str] = {}

    def chapters(self, frame: Frame) -> Iterator[str]:
        entries = family_entries(self.session, frame)
        self.guards = dict(zip(map(id, entries), guard_names(entries)))
        yield docstring(_summary(self.session, frame))
        yield IMPORT if any(entry.guards for entry in entries) else ""
        yield "\n" + comment(f"As written, {frame.file}:{frame.line}") + _as_written(self.session, frame)
        yield from self.entries(frame, frame.name, ())

    def entries(self, frame: Frame, shown_as: str, above: tuple[str, ...]) -> Iterator[str]:
        self.told.add(frame.number)
        for entry in frame.entries:
            yield _rule(entry, shown_as, above)
            yield _entry(frame, entry, shown_as, self.guards[id(entry)])
            for resume in entry.resumes:
                yield from self.resume(resume, entry, (*above, entry.compile_id))

    def resume(self, resume: Resume, caller: Entry, above: tuple[str, ...]) -> Iterator[str]:
        name, number = resume.name, resume.frame
        if number is None:
            yield "\n" + comment(f"{name}: not compiled, this way on was never taken (or torch runs it as it is)")
        elif number in self.told:
            yield "\n" + comment(f"{name}: see above, {_ids(self.session.frame(number))}")
        else:
            frame = self.session.frame(number)
            rest = f"{name}: the rest of {_origin(frame)}, compiled as {_ids(frame)}"
            words = break_words(caller.breaks)
            yield "\n\n" + comment(f"{rest}\n{words}" if words else rest)
            yield from self.entries(frame, name, above)


def _summary(session: Session, frame: Frame) -> str:
    versions = session.versions
    lines = [f"{frame.qualname}: what torch.compile made of it.", ""]
    for each in session.frames:
        if root(session, each) == frame.number:
            after = "" if each is frame else f"the rest of {_origin(each)}: "
            lines += [f"[{entry.compile_id}] {after}{_verdict(entry)}" for entry in each.entries]
    lines += [
        "",
        f"torch {versions.get('torch', '?')}, CPython {versions.get('python', '?')}. "
        "A view: nothing here is what runs. Names that start with __ are torch's.",
        "",
    ]
    return "\n".join(lines)


def _verdict(entry: Entry) -> str:
    if entry.outcome != "compiled":
        return f"{entry.outcome}: {one_line(entry.reason or 'no reason given', 120)}"
    parts = [f"{entry.graph.name}" if entry.graph else "no graph"]
    if entry.earlier:
        parts.append("compiled before depyf watched")
    if entry.breaks:
        parts.append(count(len(entry.breaks), "graph break"))
    if entry.recompiles:
        parts.append(f"compiled again because {one_line(changed(entry.recompiles[0]), 90)}")
    return ", ".join(parts)


def _as_written(session: Session, frame: Frame) -> str:
    if frame.source is None:
        return comment("(the source is not available)")
    stops = _stops(session, frame)
    lines = []
    for number, line in enumerate(frame.source.rstrip("\n").split("\n"), start=frame.line):
        mark = f"   # <-- {stops[number]}" if number in stops else ""
        lines.append(f"{number:6}  {line}{mark}")
    return comment("\n".join(lines))


def _stops(session: Session, frame: Frame) -> dict[int, str]:
    """Line -> the break there, for the frame and everything that continues it."""
    stops: dict[int, list[str]] = {}
    for each in session.frames:
        if root(session, each) == frame.number:
            for entry in each.entries:
                for stop in entry.breaks:
                    if stop.line is not None and stop.file == frame.file:
                        stops.setdefault(stop.line, []).append(f"[{entry.compile_id}] {one_line(stop.reason, 60)}")
    return {
        line: f"graph break {marks[0]}" + (f" and {len(marks) - 1} more" if marks[1:] else "")
        for line, marks in stops.items()
    }


def family_entries(session: Session, frame: Frame) -> list[Entry]:
    """The entries of ``frame`` and of everything that continues it."""
    return [entry for each in session.frames if root(session, each) == frame.number for entry in each.entries]


def root(session: Session, frame: Frame) -> int:
    """The number of the frame that ``frame``, through any number of breaks, continues."""
    seen = {frame.number}
    while frame.resumes is not None and frame.resumes not in seen:
        seen.add(frame.resumes)
        frame = session.frame(frame.resumes)
    return frame.number


def _rule(entry: Entry, shown_as: str, above: Sequence[str]) -> str:
    path = " > ".join([*(f"[{each}]" for each in above), f"[{entry.compile_id}]"])
    title = f"# {path} {shown_as} "
    return "\n\n" + title + "=" * max(8, WIDTH - len(title)) + "\n"


def _entry(frame: Frame, entry: Entry, shown_as: str, guards: str) -> str:
    parts = [
        comment("compiled again because\n" + "".join(f"  {each}\n" for each in recompile_lines(frame, entry)))
        if entry.recompiles
        else "",
    ]
    if entry.outcome != "compiled":
        parts.append(comment(f"{entry.outcome}: {entry.reason or 'no reason given'}"))
    if entry.guards:
        parts.append(guard_function(frame, entry, guards))
    if entry.symbols:
        parts.append(comment("\n".join(symbol_lines(frame, entry))))
    parts.append(_transformed(entry, shown_as))
    if entry.side_effects:
        parts.append(
            comment(
                "changes after the graph ran: "
                + ", ".join(entry.side_effects).replace("<unknown source>", "something that torch has no name for")
            )
        )
    parts.append(_graph(frame, entry.graph, entry.earlier) if entry.graph else "")
    parts.extend(comment("\n".join(break_lines(frame, each))) for each in entry.breaks)
    return "".join(parts)


def _transformed(entry: Entry, shown_as: str) -> str:
    if entry.transformed_file is None:
        return ""
    if entry.transformed_source is None:
        return comment(
            f"the code that runs: disassembly in {entry.transformed_file}\n"
            f"not shown as Python: {(entry.refusal or '').partition(chr(10))[0]}"
        )
    source = renamed(without_uuid(entry.read_as or entry.transformed_source), shown_as).replace(_FUTURE, "", 1)
    about = comment(
        f"the code that runs, {proved(entry.certificate)}: {entry.transformed_file}"
        + (
            "\nshown with paths that led to the same objects, and with what only a graph takes in its place"
            if entry.read_as
            else ""
        )
    )
    return about + source.rstrip("\n") + "\n"


def proved(certificate: Certificate | None) -> str:
    """How the source was proved, in words."""
    if certificate is None:
        return "not proved"
    under = f", assuming {', '.join(certificate.axioms)}" if certificate.axioms else ""
    return f"proved the same ({certificate.level}{under})"


def renamed(source: str, name: str) -> str:
    """The function that ``source`` defines under another name, when that is a name at all.

    A function with nonlocal names stands inside another one, which a comment before it announces.
    """
    found = list(_DEFINITION.finditer(source))[int(source.startswith("#")) :]
    if not found or not name.isidentifier():
        return source
    return source[: found[0].start(1)] + name + source[found[0].end(1) :]


def _graph(frame: Frame, graph: Graph, earlier: bool) -> str:
    lines = []
    for stage in graph.stages:
        lines.append(f"  {stage.file:44} {count(stage.node_count, 'operation')}")
    for kernel in graph.kernels:
        lines.append(f"  {kernel.file:44} {kernel.language}, generated by Inductor")
        lines += [f"    {line}" for line in computation_lines(frame, kernel)]
    if graph.caches:
        lines.append(f"  from {' and '.join(graph.caches)}: stages that are missing here were not made in this run")
    if not lines:
        why = "it was made before depyf watched" if earlier else "torch showed none of its stages"
        lines.append(f"  (no file: {why})")
    heading = f"{graph.name}, as captured; the files show it at every stage" if graph.code else graph.name
    return "\n" + comment(heading) + (graph.code or "") + comment("\n".join(lines))


def _ids(frame: Frame) -> str:
    return ", ".join(f"[{entry.compile_id}]" for entry in frame.entries)


def _origin(frame: Frame) -> str:
    found = re.match(r"(?:torch_dynamo_)?resume_in_(.*?)(?:_at_(\d+))?\Z", frame.name)
    if found is None:
        return frame.name
    return f"{found.group(1)} after line {found.group(2)}" if found.group(2) else found.group(1)
