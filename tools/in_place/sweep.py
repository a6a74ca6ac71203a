"""A sweep that can be stopped and goes on where it was: one line of JSON per program, written as each one ends."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from functools import lru_cache
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Tuple

import torch

import depyf
from in_place.comparing import Program, outcome
from in_place.swapping import swapping


class Result(NamedTuple):
    """One program: how many code objects were generated and proved, and whether it did the same.

    ``ran`` is ``returned`` or ``raised``; ``repeats`` is False for programs that differ from
    one run to the next without us.  ``parts`` are those parts of the program that did not raise, where it has parts;
    ``decompiler`` is the commit of the decompiler that ran.
    """

    name: str
    codes: int
    proven: int
    equal: bool
    ran: str
    seconds: float
    refused: List[str]
    repeats: bool = True
    frames: int = 0
    parts: Tuple[str, ...] = ()
    decompiler: str = ""


def compiler(backend: str) -> Callable[..., Any]:
    """``torch.compile`` with this backend; ``@compile`` and ``compile(f, dynamic=True)`` both work."""

    def compiled(function: Any, **options: Any) -> Any:
        return torch.compile(function, **{"backend": backend, **options})

    return compiled


def compared(name: str, program: Program, backend: str) -> Result:
    """Run a program with decompiled code in place, and compare with the program itself.

    Where that differs, what counts is Dynamo's own code, if it gives the same every time.
    """
    start = time.time()
    compiled = compiler(backend)
    with swapping() as swapped:
        found = outcome(program, compiled)
    expected = outcome(program, _as_it_is)
    if found != expected:
        expected = outcome(program, compiled)
    repeats = found == expected or outcome(program, compiled) == expected
    ran, results = expected
    return Result(
        name,
        swapped.codes,
        proven=swapped.codes - len(swapped.refused),
        equal=found == expected,
        ran=ran,
        seconds=round(time.time() - start, 2),
        refused=swapped.refused,
        repeats=repeats,
        frames=len(swapped.frames),
        parts=_parts(results),
        decompiler=revision(),
    )


@lru_cache(maxsize=None)
def revision() -> str:
    """The last commit that changed the decompiler, with a ``+`` where files have changed since; empty without git."""
    source = Path(depyf.__file__).parent / "decompiler"
    git = ("git", "-C", str(source))
    found = subprocess.run([*git, "log", "-1", "--format=%h", "--", "."], capture_output=True, text=True)
    dirty = subprocess.run([*git, "status", "--porcelain", "--", "."], capture_output=True, text=True)
    return found.stdout.strip() + ("+" if dirty.stdout.strip() else "")


def _as_it_is(function: Any = None, **_options: Any) -> Any:
    """In the place of ``torch.compile``: nothing is compiled."""
    return function


def _parts(expected: Tuple[Any, ...]) -> Tuple[str, ...]:
    """Parts of a program that returned, where the program returns a result for each."""
    found = expected[0]
    if not isinstance(found, tuple) or found[0] != "Parts":
        return ()
    return tuple(name for name, result in found[1] if result[:1] != ("Raised",))


def known(path: Path) -> Dict[str, Result]:
    """Results that a file of an earlier sweep holds."""
    if not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["name"]: Result(**row) for row in rows}


def sweep(
    programs: Iterable[Tuple[str, Program]], path: Path, backend: str, part: int = 0, parts: int = 1
) -> Dict[str, Result]:
    """Compare each of ``(name, program)`` that ``path`` has no result of; print progress to stderr.

    Processes share the work: this one takes every ``parts``-th program from ``part`` on.  A program that ended the
    process is not tried again.
    """
    running = path.with_suffix(f".running-{part}")
    if running.exists():
        _keep(path, Result(running.read_text(encoding="utf-8"), 0, 0, True, "ended the process", 0.0, []))
    done = known(path)
    for number, (name, program) in enumerate(programs):
        if number % parts != part or name in done:
            continue
        running.write_text(name, encoding="utf-8")
        done[name] = compared(name, program, backend)
        _keep(path, done[name])
        print(f"{len(done):5} {line(done[name])}", file=sys.stderr, flush=True)
    running.unlink(missing_ok=True)
    return done


def _keep(path: Path, result: Result) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(result._asdict()) + "\n")


def line(result: Result) -> str:
    """A result for a person."""
    verdict = "equal" if result.equal else "DIFFERS" if result.repeats else "differs without us, too"
    refused = f" refused: {result.refused[0][:200]}" if result.refused else ""
    return f"{result.name}: {result.proven}/{result.codes} proven, {result.ran}, {verdict}{refused}"


def summary(results: Iterable[Result]) -> str:
    """Counts over a sweep."""
    rows = list(results)
    codes, proven = sum(row.codes for row in rows), sum(row.proven for row in rows)
    differs = [row.name for row in rows if not row.equal and row.repeats]
    unstable = sum(1 for row in rows if not row.repeats)
    text = (
        f"{len(rows)} programs, {codes} code objects, {proven} proven, {codes - proven} refused, {len(differs)} unequal"
    )
    return (
        text
        + (f", {unstable} that differ without us, too" if unstable else "")
        + "".join(f"\n  {name}" for name in differs)
    )
