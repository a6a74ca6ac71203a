"""Fail when a record has more graph breaks or recompilations than allowed. Needs no torch."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Iterator

from depyf.cli.show import read
from depyf.record.schema import Entry, Frame, RecordError, Session
from depyf.record.text import count, one_line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A directory and the limits."""
    parser.add_argument("directory", type=Path, help="a directory that prepare_debug wrote")
    parser.add_argument(
        "--max-breaks", type=int, default=0, metavar="N", help="graph breaks allowed (default: %(default)s)"
    )
    parser.add_argument(
        "--max-recompiles", type=int, default=0, metavar="N", help="recompilations allowed (default: %(default)s)"
    )


def run(arguments: argparse.Namespace) -> int:
    """0: within the limits; 1: beyond; 2: no record."""
    try:
        session = read(arguments.directory)
    except (OSError, RecordError) as error:
        sys.stderr.write(f"depyf check: {error}\n")
        return 2
    breaks, recompiles = list(_breaks(session)), list(_recompiles(session))
    beyond = len(breaks) > arguments.max_breaks or len(recompiles) > arguments.max_recompiles
    sys.stdout.write(f"{count(len(breaks), 'graph break')}, {count(len(recompiles), 'recompilation')}\n")
    if beyond:
        sys.stdout.writelines(f"{line}\n" for line in breaks + recompiles)
    return int(beyond)


def _entries(session: Session) -> Iterator[tuple[Frame, Entry]]:
    return ((frame, entry) for frame in session.frames for entry in frame.entries)


def _breaks(session: Session) -> Iterator[str]:
    for frame, entry in _entries(session):
        for stop in entry.breaks:
            hint = f" ({one_line(stop.hints[0])})" if stop.hints else ""
            place = f"{stop.file or frame.file}:{stop.line or frame.line}"
            yield f"{place}: [{entry.compile_id}] graph break: {stop.reason}{hint}"


def _recompiles(session: Session) -> Iterator[str]:
    for frame, entry in _entries(session):
        if entry.recompile_reasons:
            why = one_line(entry.recompile_reasons[0])
            yield f"{frame.file}:{frame.line}: [{entry.compile_id}] {frame.qualname} compiled again: {why}"
