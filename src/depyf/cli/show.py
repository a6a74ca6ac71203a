"""Print a record: its index, one function's story, or all of it as JSON. Needs no torch."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from depyf.record.directory import RECORD
from depyf.record.full_code import full_code
from depyf.record.index import index
from depyf.record.schema import RecordError, Session, from_json, to_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A directory, and optionally a function in it."""
    parser.add_argument("directory", type=Path, help="a directory that prepare_debug wrote")
    parser.add_argument("function", nargs="?", help="tell this function's story (its name, or its qualified name)")
    parser.add_argument("--json", action="store_true", help="print the record itself")


def run(arguments: argparse.Namespace) -> int:
    """1 when there is no such record or function."""
    try:
        session = read(arguments.directory)
        sys.stdout.write(to_json(session) if arguments.json else _text(session, arguments.function))
    except (OSError, RecordError, LookupError) as error:
        sys.stderr.write(f"depyf show: {error}\n")
        return 1
    return 0


def read(directory: Path) -> Session:
    """The record in a directory. Raises OSError or RecordError."""
    return from_json((directory / RECORD).read_text(encoding="utf-8"))


def _text(session: Session, function: str | None) -> str:
    if function is None:
        return index(session)
    own = [frame for frame in session.frames if frame.resumes is None]
    found = [frame for frame in own if function in (frame.name, frame.qualname)]
    if not found:
        raise LookupError(f"no function {function}; there is {', '.join(sorted({frame.qualname for frame in own}))}")
    return "\n\n".join(full_code(session, frame) for frame in found)
