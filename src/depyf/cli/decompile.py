"""Print source that provably does the same as bytecode.

A TARGET is a ``.py`` or ``.pyc`` file (read, never run), a module, ``MODULE:NAME`` (the module is imported), or a
directory of files, which ``-o`` writes to another one.  The exit status is 0 when everything was verified.
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import List, NamedTuple, Optional

from depyf.cli._progress import progress
from depyf.decompiler import DecompilationError
from depyf.decompiler.sources import UnreadableTarget
from depyf.decompiler.targets import answer

VERIFIED, REFUSED, UNREADABLE = 0, 1, 2
UNWRITABLE = UNREADABLE
CACHE = "__pycache__"


class Outcome(NamedTuple):
    """What came of one target: an exit status, the source or what is wrong, and the proofs."""

    status: int
    text: str
    report: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to decompile, and where to put it."""
    parser.add_argument("target", metavar="TARGET", help="a file, a directory, a module, or MODULE:NAME")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write there instead of to the terminal")
    parser.add_argument(
        "--verify-report", action="store_true", help="also say, on standard error, how each code object was proved"
    )
    parser.add_argument("-j", "--jobs", type=int, metavar="N", help="processes for a directory (default: all CPUs)")


def run(arguments: argparse.Namespace) -> int:
    """0: verified; 1: refused, the reason on standard error; 2: no such target, or no place to write to."""
    if arguments.target and Path(arguments.target).is_dir():
        return _directory(Path(arguments.target), arguments)
    outcome = decompiled(arguments.target)
    return _finish(arguments.target, outcome, arguments.output, arguments.verify_report)


def decompiled(target: str) -> Outcome:
    """Decompile one target; what goes wrong is an outcome, too."""
    try:
        found = answer(target)
    except (UnreadableTarget, TypeError) as error:
        return Outcome(UNREADABLE, str(error))
    except DecompilationError as error:
        return Outcome(REFUSED, f"not verified, so nothing is printed: {error}")
    report = "".join(f"{target}: {proof.name}: {proof.certificate}\n" for proof in found.proofs)
    return Outcome(VERIFIED, found.source(), report)


def _finish(target: str, outcome: Outcome, output: Optional[Path], with_report: bool) -> int:
    if outcome.status != VERIFIED:
        named = outcome.text.startswith(target)  # what could not be read says so itself
        sys.stderr.write(f"depyf decompile: {'' if named else target + ': '}{outcome.text}\n")
        return outcome.status
    try:
        _write(outcome.text, output)
    except BrokenPipeError:
        raise
    except OSError as error:
        sys.stderr.write(f"depyf decompile: {output or 'standard output'}: {error.strerror or error}\n")
        return UNWRITABLE
    if with_report:
        sys.stderr.write(outcome.report)
    return VERIFIED


def _write(text: str, output: Optional[Path]) -> None:
    if output is not None:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text, encoding="utf-8", errors="surrogatepass")
        return
    try:
        sys.stdout.write(text)
    except UnicodeEncodeError:
        # Source is UTF-8, whatever the terminal shows.
        sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass"))
    sys.stdout.flush()


def _directory(directory: Path, arguments: argparse.Namespace) -> int:
    """Decompile every file of a directory, and say how many were verified."""
    output: Optional[Path] = arguments.output
    files = files_in(directory)
    if not files or (output is not None and output.is_file()):
        why = f"{output} is a file" if files else f"no .py and no .pyc file in {directory}"
        sys.stderr.write(f"depyf decompile: {why}\n")
        return UNREADABLE
    status, verified = VERIFIED, 0
    with ProcessPoolExecutor(arguments.jobs or os.cpu_count()) as processes:
        outcomes = processes.map(decompiled, map(str, files))
        for file, outcome in zip(files, progress(outcomes, len(files))):
            place = output / place_in(file, directory) if output is not None else Path(os.devnull)
            one = _finish(str(file), outcome, place, arguments.verify_report)
            verified += one == VERIFIED
            status = max(status, min(one, REFUSED))
    sys.stderr.write(f"{verified} of {len(files)} files verified\n")
    return status


def files_in(directory: Path) -> List[Path]:
    """Source and bytecode files, without the bytecode that a Python cached beside its source."""
    found = [path for path in directory.rglob("*.py*") if path.suffix in (".py", ".pyc") and path.is_file()]
    return sorted(path for path in found if path.suffix == ".py" or not _has_source(path, directory))


def _has_source(bytecode: Path, directory: Path) -> bool:
    """Whether ``bytecode`` only caches a source file inside of ``directory`` (PEP 3147)."""
    cache = bytecode.parent
    return cache.name == CACHE and cache != directory and (cache.parent / _module_name(bytecode)).exists()


def _module_name(bytecode: Path) -> str:
    """The source file's name: ``a.py`` for ``a.cpython-311.pyc``."""
    return bytecode.name.split(".")[0] + ".py"


def place_in(file: Path, directory: Path) -> Path:
    """Where the source of one of ``files_in(directory)`` goes: where Python would look for it."""
    place = file.relative_to(directory)
    return place.parent.parent / _module_name(file) if file.parent.name == CACHE else place.with_suffix(".py")
