"""Real architectures with decompiled code in the place of all code that Dynamo generates, compared with runs without.

    python tools/models.py                          all of them; what --results holds is not run again
    python tools/models.py --only gpt2              one of them, again
    python tools/models.py --table docs/models.md   write the table of what is known, run nothing
    python tools/models.py --artifacts build/models everything that depyf writes of each, and an index of it all

``make models`` starts from the results that were committed with the table; each row names the decompiler it ran with.
Each is run forward, then, with inputs of other shapes, forward and backward in training.  ``make models`` makes
the environment (torch, transformers, and timm and torchvision without their own ideas of which torch).
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Tuple

import torch
from architectures import Architecture, Architectures, Example, declare_torchvision_operators
from architectures.artifacts import write_artifacts
from in_place.comparing import Parts, Program, Raised
from in_place.sweep import Result, compared, known, line, summary, sweep
from torch.utils import _pytree as pytree

ROOT = Path(__file__).resolve().parent.parent
COMMITTED = ROOT / "docs" / "evidence" / "models.jsonl"


def programs() -> Iterator[Tuple[str, Program]]:
    """All architectures as programs."""
    for name, make in architectures().items():
        yield name, program_of(make)


def architectures() -> Architectures:
    """All architectures by name."""
    declare_torchvision_operators()
    from architectures import classic, language, vision
    from transformers import logging

    logging.set_verbosity_error()
    # Recurrent layers are graph breaks otherwise, at which Dynamo leaves the whole frame alone.
    torch._dynamo.config.allow_rnn = True
    return {**classic.architectures(), **language.architectures(), **vision.architectures()}


def program_of(make: Architecture) -> Program:
    """The program that makes a model and uses it."""

    def program(compile: Callable[..., Any]) -> Parts:
        example = make()
        found = Parts()
        for name, use in USES.items():
            torch.manual_seed(1)
            try:
                found[name] = use(example, compile(example.module))
            except Exception as error:
                found[name] = Raised(type(error).__name__)
        return found

    return program


def _forward(example: Example, compiled: torch.nn.Module) -> Any:
    example.module.eval()
    with torch.no_grad():
        return compiled(*example.first["args"], **example.first["kwargs"])


def _training(example: Example, compiled: torch.nn.Module) -> Any:
    example.module.train()
    found = compiled(*example.second["args"], **example.second["kwargs"])
    tensors = [value for value in pytree.tree_leaves(_tensors(found)) if isinstance(value, torch.Tensor)]
    sum(value.float().sum() for value in tensors if value.requires_grad).backward()
    return [parameter.grad for parameter in example.module.parameters()]


def _tensors(found: Any) -> List[Any]:
    """What a model returns, its dataclasses taken apart."""
    return list(found.values()) if isinstance(found, dict) else [found]


USES: Dict[str, Callable[[Example, torch.nn.Module], Any]] = {
    "forward": _forward,
    "training": _training,
}


def table(results: List[Result]) -> str:
    """The results as a page of the documentation."""
    ran = [row for row in results if "forward" in row.parts]
    equal = [row for row in ran if row.equal and row.proven == row.codes]
    lines = [
        "# Models",
        "",
        f"{len(equal)} of {len(ran)} architectures do the same, bit by bit, with decompiled code in the place of all",
        f"{sum(row.codes for row in ran)} code objects that Dynamo generated for them, on torch {torch.__version__}.",
        "`make models` runs what of its list is not known yet: random weights, small configurations, no downloads. It",
        "writes what depyf shows of each, and an index, into `build/models/`; [twelve of them are here](dozen.md).",
        "Each row was run by the decompiler of the commit that it names (+: with changes since); all run again with",
        "`make models FRESH=1`.",
        "Each is run forward, and then forward and backward in training, on inputs of other shapes; a dash says that",
        "the architecture does not take that, with or without decompiled code. Equal: values and gradients, every bit.",
        "",
        "| model | frames | code objects | proven | training | equal | decompiler |",
        "| --- | ---: | ---: | ---: | --- | --- | --- |",
    ]
    for row in sorted(ran, key=lambda row: row.name):
        trained = "yes" if "training" in row.parts else "-"
        cells = [row.name, row.frames, row.codes, row.proven, trained, "yes" if row.equal else "no", row.decompiler]
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--backend", default="eager")
    parser.add_argument("--only", help="run only names with this text in them, whatever is known; keep nothing")
    parser.add_argument("--results", type=Path, default=ROOT / "build" / "models.jsonl")
    parser.add_argument("--part", type=int, default=0, help="this process is number PART ...")
    parser.add_argument("--parts", type=int, default=1, help="... of PARTS that share the work")
    parser.add_argument("--table", type=Path, help="write the table, and what it is made of, and run nothing")
    parser.add_argument("--artifacts", type=Path, help="write what depyf shows of each model there, compare nothing")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.table:
        rows = list(known(options.results).values())
        options.table.write_text(table(rows), encoding="utf-8")
        kept = (json.dumps(row._asdict()) + "\n" for row in sorted(rows, key=lambda row: row.name))
        COMMITTED.write_text("".join(kept), encoding="utf-8")
        return 0
    if options.artifacts:
        names = {name: make for name, make in architectures().items() if not options.only or options.only in name}
        write_artifacts(names, options.artifacts)
        return 0
    if options.only:
        rows = [compared(name, program, options.backend) for name, program in programs() if options.only in name]
        for row in rows:
            print(line(row), row.parts, f"{row.seconds} s")
    else:
        options.results.parent.mkdir(parents=True, exist_ok=True)
        rows = list(sweep(programs(), options.results, options.backend, options.part, options.parts).values())
    print(summary(rows))
    return 0 if all(row.equal and not row.refused for row in rows if "forward" in row.parts) else 1


if __name__ == "__main__":
    sys.exit(main())
