"""Everything that depyf writes while an architecture is compiled, one directory each, and an index of them all.

build/models/index.md
build/models/classic/lenet/index.md, full_code_for_forward_0.py, __compiled_fn_1.Captured_Graph.0.py, ...
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Iterator

import torch

import depyf
from architectures import Architecture, Architectures
from depyf.record.schema import Session, from_json


def write_artifacts(chosen: Architectures, folder: Path) -> None:
    """Compile those of ``chosen`` that ``folder`` has nothing of, then write the index of all that it has."""
    for name, make in chosen.items():
        if not (folder / name / "depyf.json").exists():
            print(name, file=sys.stderr, flush=True)
            watch(make, folder / name)
    (folder / "index.md").write_text(index(folder), encoding="utf-8")


def watch(make: Architecture, folder: Path) -> None:
    """Run one architecture forward, watched; what its own code raises is in its index."""
    torch._dynamo.reset()
    torch.manual_seed(0)
    example = make()
    compiled = torch.compile(example.module.eval(), backend="eager")
    try:
        with depyf.prepare_debug(folder), torch.no_grad():
            compiled(*example.first["args"], **example.first["kwargs"])
    except Exception as error:
        print(f"    {type(error).__name__}: {error}", file=sys.stderr)


def index(folder: Path) -> str:
    """A page with a line for each architecture and links to what there is to read."""
    lines = [
        "# What depyf writes of each architecture",
        "",
        "| model | compilations | graphs | graph breaks | start here |",
        "| --- | ---: | ---: | ---: | --- |",
    ]
    for record in sorted(folder.glob("*/*/depyf.json")):
        place = record.parent.relative_to(folder).as_posix()
        session = from_json(record.read_text(encoding="utf-8"))
        entries = [entry for frame in session.frames for entry in frame.entries]
        graphs, breaks = sum(entry.graph is not None for entry in entries), sum(len(entry.breaks) for entry in entries)
        files = " ".join(f"[{file}]({place}/{file})" for file in _to_read(session))
        lines.append(f"| [{place}]({place}/index.md) | {len(entries)} | {graphs} | {breaks} | {files} |")
    return "\n".join(lines) + "\n"


def _to_read(session: Session) -> Iterator[str]:
    """The files to start with: one for each function that was compiled, whatever continues it."""
    return iter(dict.fromkeys(frame.full_code_file for frame in session.frames if frame.full_code_file))
