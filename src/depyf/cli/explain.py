"""Print a code object after every stage of the decompiler, for those who work on it.

``depyf explain FILE:FUNCTION`` (or ``MODULE:FUNCTION``; without a function, the module's own code) shows instructions,
effect graph, stacks, blocks, statements, source and verdict; ``--upto`` stops after a stage.  Nothing is run.
"""

from __future__ import annotations

import argparse
import sys
from types import CodeType
from typing import Iterator, Tuple

from depyf.decompiler import DecompilationError
from depyf.decompiler.sources import UnreadableTarget
from depyf.decompiler.stages import STAGES, stages_of
from depyf.decompiler.targets import code_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The code object, and where to stop."""
    parser.add_argument(
        "target", metavar="FILE[:FUNCTION]", help="a .py or .pyc file or a module, and a qualified name"
    )
    parser.add_argument("--upto", choices=STAGES, metavar="STAGE", help=f"the last stage: {', '.join(STAGES)}")


def run(arguments: argparse.Namespace) -> int:
    """0: proved, or stopped before; 1: refused; 2: no such code."""
    try:
        code = nested_code(arguments.target)
    except UnreadableTarget as error:
        sys.stderr.write(f"depyf explain: {error}\n")
        return 2
    for shown in stages_of(code):
        sys.stdout.write(f"== {shown.stage}\n{shown.text}\n")
        if shown.failed:
            return 1
        if shown.stage == arguments.upto:
            break
    return 0


def nested_code(target: str) -> CodeType:
    """The code object that ``FILE:FUNCTION`` names.

    Raises :class:`~depyf.decompiler.sources.UnreadableTarget`, with the names that there are.
    """
    place, colon, name = target.rpartition(":")
    if not colon or name.endswith((".py", ".pyc")):
        return _read(target)
    named = list(_qualified(_read(place), ""))
    found = [code for path, code in named if path == name or path.replace(".<locals>", "") == name]
    if not found:
        names = ", ".join(sorted({path for path, _ in named}))
        raise UnreadableTarget(f"{place} defines no {name}; there is {names or 'nothing'}")
    return found[0]


def _read(place: str) -> CodeType:
    try:
        return code_of(place)
    except UnreadableTarget:
        raise
    except DecompilationError as error:
        raise UnreadableTarget(str(error)) from error


def _qualified(code: CodeType, path: str) -> Iterator[Tuple[str, CodeType]]:
    """Qualified names (PEP 3155) and code objects of everything nested in ``code``."""
    is_function = bool(code.co_flags & 0x1)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            name = f"{path}{'.<locals>' if is_function else ''}.{inner.co_name}" if path else inner.co_name
            yield name, inner
            yield from _qualified(inner, name)
