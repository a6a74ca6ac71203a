"""Harvest the code objects that Dynamo makes from programs, as data that replays without torch.

    python tools/harvest.py OUT [PROGRAMS.py ...]

Each file of programs defines ``PROGRAMS``, a list of functions that take ``compile`` and return something.  They are
run with ``torch.compile(backend="eager")``; every code object that passes Dynamo's bytecode hook is kept once per
shape.  ``OUT`` is what ``marshal`` and ``lzma`` make of a list of ``(program, code object)``: it can be read by the
same Python version only.
"""

from __future__ import annotations

import argparse
import lzma
import marshal
import re
import runpy
import sys
from pathlib import Path
from types import CodeType
from typing import Callable, Dict, List, Tuple

_UNIQUE = re.compile(r"(__compiled_fn_\d+)_[0-9a-f_]{36}")
_MARK = "\0object "


class Opaque:
    """Stands for a constant that is an object: equal to itself only, as the object was."""

    def __init__(self, described: str) -> None:
        self.described = described

    def __repr__(self) -> str:
        return f"<{self.described}>"


def portable(code: CodeType) -> CodeType:
    """``code`` with its object constants described, and without names that differ from run to run."""
    objects: List[object] = []
    return _rewritten(code, lambda value: _described(value, objects))


def _described(value: object, objects: List[object]) -> str:
    number = next((number for number, known in enumerate(objects) if known is value), len(objects))
    if number == len(objects):
        objects.append(value)
    return f"{_MARK}{number} {getattr(value, '__name__', type(value).__name__)}"


def replayed(code: CodeType) -> CodeType:
    """A portable code object with an :class:`Opaque` in the place of every object, the same one wherever the object
    was the same.
    """
    objects: Dict[str, Opaque] = {}
    return _rewritten(code, lambda value: objects.setdefault(str(value), Opaque(str(value)[len(_MARK) :])))


def _rewritten(code: CodeType, exchange: Callable[[object], object]) -> CodeType:
    def constant(value: object) -> object:
        if isinstance(value, CodeType):
            return _rewritten(value, exchange)
        if type(value) is tuple:
            return tuple(constant(item) for item in value)
        if isinstance(value, str) and value.startswith(_MARK):
            return exchange(value)
        try:
            marshal.dumps(value)
        except ValueError:
            return exchange(value)
        return value

    # Lines and the file say where somebody's program was.
    return code.replace(
        co_consts=tuple(constant(value) for value in code.co_consts),
        co_names=tuple(_UNIQUE.sub(r"\1", name) for name in code.co_names),
        co_filename="program.py",
    )


def shape(code: CodeType) -> Tuple[object, ...]:
    """Equal for code objects that differ in names and constants only."""
    nested = tuple(shape(value) for value in code.co_consts if isinstance(value, CodeType))
    return code.co_code, getattr(code, "co_exceptiontable", b""), code.co_flags, nested


def save(path: Path, harvest: List[Tuple[str, CodeType]]) -> None:
    """Write ``harvest`` so that :func:`load` reads it."""
    path.write_bytes(lzma.compress(marshal.dumps(harvest), preset=9))


def load(path: Path) -> List[Tuple[str, CodeType]]:
    """The code objects of a file, with the programs that they come from."""
    return [(program, replayed(code)) for program, code in marshal.loads(lzma.decompress(path.read_bytes()))]


def harvest(paths: List[Path]) -> List[Tuple[str, CodeType]]:
    """Run the programs of ``paths`` and collect what Dynamo makes of them."""
    import torch
    from torch._dynamo.convert_frame import register_bytecode_hook

    found: Dict[object, Tuple[str, CodeType]] = {}
    running = [""]

    def hook(_original: CodeType, transformed: CodeType) -> None:
        code = portable(transformed)
        found.setdefault(shape(code), (running[0], code))

    removable = register_bytecode_hook(hook)
    try:
        for path in paths:
            for program in runpy.run_path(str(path))["PROGRAMS"]:
                running[0] = program.__name__
                torch._dynamo.reset()
                try:
                    program(lambda function, **options: torch.compile(function, backend="eager", **options))
                except Exception as error:
                    print(f"{program.__name__}: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
    finally:
        removable.remove()
    return list(found.values())


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("programs", type=Path, nargs="+")
    arguments = parser.parse_args()
    collected = harvest(arguments.programs)
    save(arguments.out, collected)
    print(f"{len(collected)} code objects, {sum(len(code.co_code) for _, code in collected)} bytes of bytecode")


if __name__ == "__main__":
    main()
