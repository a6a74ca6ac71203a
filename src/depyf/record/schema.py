"""The record of one run: plain frozen data, written beside the readable files as ``depyf.json``.

    Session
     └ Frame          a Python function that Dynamo compiled (resume functions are frames too)
        └ Entry       one compiled version of it: guards, transformed code, graph
           ├ Guard    a condition under which torch reuses the entry
           ├ Break    where and why Dynamo stopped tracing
           ├ Recompile   why an earlier entry did not fit
           ├ Symbol   a size or number that may change
           ├ Resume   the function that continues after a break, with the number of its Frame
           └ Graph    what Dynamo handed to the backend
              ├ Stage   one form of the graph, in one file
              └ Kernel  the code Inductor generated for it, in one file
                 └ Computation   a kernel that it calls: operations and lines behind it

``depyf.json`` is this tree as JSON: one object per dataclass with the field names below, tuples as arrays, ``None``
as ``null``. ``schema`` is :data:`SCHEMA`; it grows by one when a field changes its meaning or goes away, and stays
when one is added: a reader ignores fields that it does not know. Files are named relative to the folder that holds
``depyf.json``. Times are seconds; ``started`` and ``finished`` are seconds since the epoch. Compile ids are torch's
own, ``"0/1"`` or ``"!0/1/0"``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Iterable, Iterator, Mapping, TypeVar

SCHEMA = 1

T = TypeVar("T")


class RecordError(ValueError):
    """The text is no record, or one of a schema that this version cannot read."""


@dataclass(frozen=True)
class Certificate:
    """How the shown source was proved: ``exact``, ``bisimilar`` or ``symbolic``, under the named axioms."""

    level: str
    axioms: tuple[str, ...] = ()


@dataclass(frozen=True)
class Guard:
    """One condition. ``words`` is for people, ``text`` is torch's (addresses left out). ``python`` is an expression
    with the names ``L``, ``G`` and ``check``, to be evaluated by :mod:`depyf.capture.guard_checks` in the process that
    compiled; None where Python has no form for it."""

    kind: str
    text: str
    words: str
    source_expr: str | None = None
    user_line: str | None = None
    user_code: str | None = None
    about_torch: bool = False
    python: str | None = None


@dataclass(frozen=True)
class Symbol:
    """A dynamic size or number: ``words`` is what it stands for (``"x.shape[0]"``), ``value`` what that was when the
    entry was compiled, ``low`` and ``high`` its range as far as torch knew at first (None: no bound). ``fixed`` is the
    only value that is left when the code allows no other, and ``user_line`` the line that did so, or first used it."""

    name: str
    words: str
    value: str
    low: str | None = None
    high: str | None = None
    fixed: str | None = None
    user_line: str | None = None
    user_code: str | None = None


@dataclass(frozen=True)
class Recompile:
    """Why the entry ``entry`` did not fit, so that another one was compiled. ``subject`` is what changed, in the
    user's names, ``what`` the property of it (``"size 0"``, ``"value"``); ``expected`` and ``actual`` as far as torch
    tells. ``advice`` is what would avoid it."""

    entry: str
    words: str
    subject: str | None = None
    what: str | None = None
    expected: str | None = None
    actual: str | None = None
    user_line: str | None = None
    user_code: str | None = None
    advice: str | None = None


@dataclass(frozen=True)
class Break:
    """A graph break: ``reason`` in one line, torch's explanation and hints, the user's line. ``id`` is its number in
    torch's registry (``"GB0170"``); ``stack`` are the user's calls down to it, ``"file:line in function"``. ``then`` is
    what happened while Dynamo handled it, such as that it gave the whole frame up."""

    reason: str
    file: str | None = None
    line: int | None = None
    explanation: str | None = None
    hints: tuple[str, ...] = ()
    url: str | None = None
    user_code: str | None = None
    id: str | None = None
    stack: tuple[str, ...] = ()
    then: str | None = None


@dataclass(frozen=True)
class Resume:
    """A resume function that the transformed code calls; ``frame`` is None when it never was compiled."""

    name: str
    frame: int | None = None


@dataclass(frozen=True)
class Stage:
    """One form of a graph. ``shapes`` pairs each value with torch's annotation, such as ``f32[10][1]cpu``."""

    kind: str
    file: str
    event: str
    node_count: int
    shapes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Computation:
    """The call of a kernel in a line of the generated code; ``nodes`` are the operations of the graph behind it,
    ``user_lines`` the lines (``file:line``) behind these, as far as torch tells."""

    name: str
    line: int
    nodes: tuple[str, ...] = ()
    user_lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Kernel:
    """Generated code. ``line_map`` pairs a line of the file with the graph nodes it was made from; ``computes`` are the
    kernels that it calls, in order; ``torch_file`` is the file that torch imports."""

    file: str
    language: str
    line_map: tuple[tuple[int, str], ...] = ()
    torch_file: str | None = None
    computes: tuple[Computation, ...] = ()


@dataclass(frozen=True)
class Graph:
    """``name`` is used in files; ``torch_name`` is the global that the transformed code calls, uuid included. What came
    out of one of ``caches`` was not made in this run: the stages on the way to it are missing. ``code`` is what was
    captured, in short, when it is short."""

    name: str
    torch_name: str | None = None
    stages: tuple[Stage, ...] = ()
    kernels: tuple[Kernel, ...] = ()
    caches: tuple[str, ...] = ()
    code: str | None = None


@dataclass(frozen=True)
class Entry:
    """One compilation of a frame.

    ``outcome`` is ``compiled``; ``skipped``: Dynamo gave up, the frame runs as written (or ``fullgraph=True`` raised
    ``reason``); ``failed``: an error; ``limit``: the recompile limit was reached, the frame runs as written.
    ``earlier``: it was compiled before depyf watched, so that its graphs, kernels and reasons are not known.
    ``read_as`` is ``transformed_source`` with the paths of modules as a program writes them, ``self.layers[0].weight``,
    where that was the same object when it was compiled, found by no code but torch's, and with what only a graph takes
    written where it takes it; None when nothing differs.

    ``times`` are seconds: ``compile`` is the whole; ``backend``, ``inductor``, ``kernels`` and others are phases of it;
    ``backward`` when that was compiled late; ``guards`` for one evaluation of the guards.
    """

    compile_id: str
    outcome: str
    reason: str | None = None
    guards: tuple[Guard, ...] = ()
    transformed_file: str | None = None
    transformed_source: str | None = None
    certificate: Certificate | None = None
    refusal: str | None = None
    graph: Graph | None = None
    resumes: tuple[Resume, ...] = ()
    recompile_reasons: tuple[str, ...] = ()
    breaks: tuple[Break, ...] = ()
    side_effects: tuple[str, ...] = ()
    times: Mapping[str, float] = field(default_factory=dict)
    recompiles: tuple[Recompile, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    earlier: bool = False
    read_as: str | None = None


@dataclass(frozen=True)
class Frame:
    """A function; ``number`` identifies it within the session. ``resumes`` is the number of the frame it continues.
    ``arguments`` are its parameters, ``"a, *rest, k"``, with the variables that it takes from functions around it as
    keyword-only ones; None when they are no identifiers."""

    number: int
    name: str
    qualname: str
    file: str
    line: int
    source: str | None = None
    resumes: int | None = None
    full_code_file: str | None = None
    guards_file: str | None = None
    entries: tuple[Entry, ...] = ()
    arguments: str | None = None


@dataclass(frozen=True)
class Failure:
    """Something that depyf could not do: ``during`` names the step, ``what`` the error."""

    during: str
    what: str
    count: int = 1


@dataclass(frozen=True)
class Session:
    """One run, or the part of it inside ``prepare_debug``. ``missing`` says what this torch does not let us see."""

    schema: int
    versions: Mapping[str, str]
    command: tuple[str, ...]
    rank: int | None
    pid: int
    started: float
    finished: float | None = None
    frames: tuple[Frame, ...] = ()
    files: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()

    def frame(self, number: int) -> Frame:
        """The frame with this number. Raises KeyError when there is none."""
        for frame in self.frames:
            if frame.number == number:
                return frame
        raise KeyError(f"no frame {number}")


# Which dataclass the objects inside a field are.
_INSIDE: dict[tuple[type, str], type] = {
    (Session, "frames"): Frame,
    (Session, "failures"): Failure,
    (Frame, "entries"): Entry,
    (Entry, "guards"): Guard,
    (Entry, "breaks"): Break,
    (Entry, "recompiles"): Recompile,
    (Entry, "symbols"): Symbol,
    (Entry, "resumes"): Resume,
    (Entry, "graph"): Graph,
    (Entry, "certificate"): Certificate,
    (Graph, "stages"): Stage,
    (Graph, "kernels"): Kernel,
    (Kernel, "computes"): Computation,
}


def to_json(session: Session, seen: dict[int, tuple[object, tuple[str, ...]]] | None = None) -> str:
    """The record as text: stable order, one line for each frame and entry, one newline at the end.

    ``seen`` is a dict that the caller keeps: entries and guards of an earlier call with it are not encoded again.
    """
    known: dict[int, tuple[object, tuple[str, ...]]] = {} if seen is None else seen
    frames = (
        _with_list(frame, "entries", (_entry_texts(entry, known) for entry in frame.entries))
        for frame in session.frames
    )
    # Put together once: the text may be as long as a megabyte.
    return "".join([*_with_list(session, "frames", frames), "\n"])


def from_json(text: str) -> Session:
    """The record that :func:`to_json` wrote. Raises :class:`RecordError` for anything else."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise RecordError(f"not a depyf record: {error}") from error
    if not isinstance(data, dict) or not isinstance(data.get("schema"), int):
        raise RecordError("not a depyf record: no schema number")
    if data["schema"] > SCHEMA:
        raise RecordError(f"record schema {data['schema']} is newer than {SCHEMA}: read it with a newer depyf")
    try:
        return _build(Session, data)
    except (TypeError, KeyError, AttributeError) as error:
        raise RecordError(f"not a depyf record: {error}") from error


def _entry_texts(entry: Entry, seen: dict[int, tuple[object, tuple[str, ...]]]) -> tuple[str, ...]:
    known = seen.get(id(entry))
    if known is None:
        # An entry is written again when its backward is compiled late, and most of its text are guards. In a string
        # quotation marks have a backslash before them, so that this is no part of one.
        before, guards, after = _text({**vars(entry), "guards": ()}).partition('"guards": ')
        known = seen[id(entry)] = (entry, (before + guards, *_guard_texts(entry.guards, seen), after[len("[]") :]))
    return known[1]


def _guard_texts(guards: tuple[Guard, ...], seen: dict[int, tuple[object, tuple[str, ...]]]) -> tuple[str, ...]:
    known = seen.get(id(guards))
    if known is None:
        known = seen[id(guards)] = (guards, (_text(guards),))
    return known[1]


def _with_list(value: Any, name: str, members: Iterable[Iterable[str]]) -> Iterator[str]:
    """``value`` as a JSON object whose last field, ``name``, is the list of ``members``, piece by piece."""
    rest = _text({key: each for key, each in vars(value).items() if key != name})
    yield f'{rest[:-1]}, "{name}": ['
    before = "\n"
    for member in members:
        yield before
        yield from member
        before = ",\n"
    yield "\n]}"


def _plain(value: Any) -> dict[str, Any]:
    if is_dataclass(value):
        return vars(value)
    raise TypeError(f"{type(value).__name__} has no place in a record")


# A record is a tree.
_text = json.JSONEncoder(default=_plain, check_circular=False).encode


def _build(cls: type[T], data: Mapping[str, Any]) -> T:
    known = {each.name for each in fields(cls)}  # type: ignore[arg-type]
    return cls(**{name: _value(cls, name, value) for name, value in data.items() if name in known})


def _value(cls: type, name: str, value: Any) -> Any:
    inside = _INSIDE.get((cls, name))
    if inside is not None and value is not None:
        return tuple(_build(inside, each) for each in value) if isinstance(value, list) else _build(inside, value)
    return _tuples(value) if isinstance(value, list) else value


def _tuples(value: Any) -> Any:
    return tuple(_tuples(each) for each in value) if isinstance(value, list) else value
