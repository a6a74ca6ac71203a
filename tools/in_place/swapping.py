"""Every code object that Dynamo generates is decompiled, proved, compiled, and runs in its place."""

from __future__ import annotations

import contextlib
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import Iterator, List, Set

import depyf
from depyf.decompiler import DecompilationError


@dataclass
class Swapped:
    """What went through the hook: code objects, the frames they were made for, what was refused and why, sources."""

    codes: int = 0
    frames: Set[CodeType] = field(default_factory=set)
    refused: List[str] = field(default_factory=list)
    sources: List[str] = field(default_factory=list)
    generated: List[CodeType] = field(default_factory=list)


@contextlib.contextmanager
def swapping(keep_sources: bool = False) -> Iterator[Swapped]:
    """Within the block decompiled code runs; where there is none, Dynamo's own does and ``refused`` says so."""
    from torch._dynamo.convert_frame import register_bytecode_hook

    swapped = Swapped()
    with tempfile.TemporaryDirectory() as folder:

        def exchange(original: CodeType, generated: CodeType) -> CodeType | None:
            swapped.codes += 1
            swapped.frames.add(original)
            template = str(Path(folder) / "code_%s.py") if keep_sources else None
            try:
                code = depyf.Decompiler.decompile_and_compile_like(generated, original, filepath_template=template)
            except DecompilationError as error:
                swapped.refused.append(f"{generated.co_name}: {error}")
                swapped.generated.append(generated)
                return None
            if keep_sources:
                swapped.sources.append(Path(code.co_filename).read_text(encoding="utf-8"))
            return code

        handle = register_bytecode_hook(exchange)
        try:
            yield swapped
        finally:
            handle.remove()
