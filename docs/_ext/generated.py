"""Reference tables made from the code that they describe: ``{generated}`` and the name of a table.

    ```{generated} seams
    ```

Each function of ``TABLES`` returns Markdown.  A table that is empty fails the build.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Callable, Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from depyf.capture.seams import SEAMS
from depyf.cli import commands, parser
from depyf.decompiler.refusals import REFUSALS
from depyf.record import schema

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import overhead as watching  # noqa: E402  (after the path)
import readme_table  # noqa: E402

EVIDENCE = ROOT / "docs" / "evidence"


def table(heads: str, rows: Iterator[tuple[str, ...]]) -> str:
    """A Markdown table; ``heads`` are separated by bars."""
    lines = [f"| {heads} |", "|" + "---|" * (heads.count("|") + 1)]
    return "\n".join([*lines, *("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)])


def seams() -> str:
    """Private torch names and what is lost without each."""
    rows = ((seam.name, "<br>".join(f"`{at}`" for at in (seam.at, *seam.before)), seam.without) for seam in SEAMS)
    return table("seam | where torch has it | without it", rows)


def refusals() -> str:
    """The closed list of refusals."""
    return table("name | why nothing is answered", ((f"`{each.name}`", each.reason) for each in REFUSALS))


def cli() -> str:
    """Every command with its help."""
    parts = [_listing(parser().format_help())]
    for name, _ in commands():
        choices = parser()._subparsers._group_actions[0].choices  # type: ignore[union-attr]
        parts += [_heading(f"depyf {name}"), _listing(choices[name].format_help())]
    return "\n\n".join(parts)


def _heading(text: str) -> str:
    """A heading that is no section: those of a directive would leave its place."""
    return f"```{{rubric}} {text}\n```"


def _listing(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```"


def record() -> str:
    """The dataclasses of the record, field by field."""
    parts = [_listing(schema.__doc__ or "")]
    for each in (value for value in vars(schema).values() if isinstance(value, type) and is_dataclass(value)):
        says = " ".join((each.__doc__ or "").split())
        rows = ((f"`{field.name}`", f"`{_type(str(field.type))}`") for field in fields(each))
        parts += [_heading(each.__name__), _ticks(says), table("field | type", rows)]
    return "\n\n".join(parts)


def _type(text: str) -> str:
    return text.replace("tuple[", "array[").replace(", ...]", "]").replace("None", "null")


def _ticks(text: str) -> str:
    return re.sub(r"``(.+?)``", r"`\1`", text)


def decompilers() -> str:
    """The table of the README."""
    return readme_table.table(json.loads((EVIDENCE / "decompilers.json").read_text()))


def decompilers_full() -> str:
    """All counts."""
    measured = json.loads((EVIDENCE / "decompilers.json").read_text())
    rows = (
        (
            row["python"],
            "**depyf (this one)**" if name == "ours" else name,
            *(str(counts.get(kind, 0)) for kind in readme_table.KINDS),
            "" if counts["seconds per 1000"] is None else f"{counts['seconds per 1000']:.1f}",
        )
        for row in measured["pythons"].values()
        for name, counts in sorted(row["of"].items(), key=lambda each: -_right(each[1]))
    )
    return table(" | ".join(["CPython", "decompiler", *readme_table.KINDS, "s per 1000"]), rows)


def dynamo() -> str:
    """Counts of programs that ran with answers in the place of Dynamo's code."""
    measured = json.loads((EVIDENCE / "decompilers.json").read_text())["dynamo"]
    keys = ("code objects", "answered", "same", "wrong", "no answer", "seconds per 1000")
    rows = (
        (
            "**depyf (this one)**" if name == "ours" else f"{name} {counts['version']}",
            *(str(counts.get(key, 0)) for key in keys),
        )
        for name, counts in measured.items()
    )
    return table(" | ".join(["decompiler", *keys[:2], *(f"programs: {key}" for key in keys[2:5]), "s per 1000"]), rows)


def overhead() -> str:
    """What prepare_debug costs."""
    measured = json.loads((EVIDENCE / "overhead.json").read_text())
    rows = (
        (f"`{row.backend}`", str(row.pairs), f"{row.seconds:.1f}", row.hooks, row.whole)
        for row in watching.compiling(measured)
    )
    calling = ((when, f"{us:.2f}", more) for when, us, more in watching.calling(measured))
    return "\n\n".join(
        [
            table("backend | pairs | CPU s without | our hooks | whole runs", rows),
            table("a call of a compiled function | CPU µs | more", calling),
            f"torch {measured['torch']}, CPython {measured['python']}.",
        ]
    )


def dumps() -> str:
    """What torch's own ways of looking leave behind, beside depyf."""
    measured = json.loads((EVIDENCE / "dumps.json").read_text())
    rows = (
        (f"`{name}`" if "." in name or "=" in name else name, f"{each['seconds']:.0f}", *(str(each[k]) for k in KEPT))
        for name, each in measured["ways"].items()
    )
    versions = ", ".join(f"{name} {measured[name]}" for name in ("torch", "python", "tlparse", "rounds"))
    return table(" | ".join(["way of looking", "CPU s", *KEPT]), rows) + f"\n\n{versions}."


KEPT = ("files", "kilobytes", "lines")
STEPPABLE = {
    "transformed": "transformed code, resume functions",
    "Captured_Graph": "the graph",
    "Forward_graph": "forward graph",
    "Backward_graph": "backward graph",
    "kernel_0": "forward wrapper",
    "kernel_1": "backward wrapper",
}
# Calls of what is compiled inside of the block, the earliest first.
FROM = {"compiled inside, first call": "at once", "second call": "second call", "in the next block": "next block"}


def steppable() -> str:
    """From when on what is compiled inside of debug() runs from its file, by version of torch."""
    measured = json.loads((EVIDENCE / "steppable.json").read_text())
    *_, newest = measured.values()
    rows = (
        (f"`{backend}`", STEPPABLE[kind], *(_from(answers[backend][kind]) for answers in measured.values()))
        for backend, found in newest.items()
        for kind in found
    )
    return table(" | ".join(["backend", "what", *measured]), rows)


def _from(calls: list[str]) -> str:
    if "compiled before" not in calls:
        return "no"
    return next((words for call, words in FROM.items() if call in calls), "only when compiled before")


def _right(counts: dict[str, int]) -> int:
    return counts.get("same", 0) + counts.get("alike", 0)


TABLES: dict[str, Callable[[], str]] = {
    "seams": seams,
    "refusals": refusals,
    "cli": cli,
    "record": record,
    "decompilers": decompilers,
    "decompilers-full": decompilers_full,
    "dynamo": dynamo,
    "overhead": overhead,
    "steppable": steppable,
    "dumps": dumps,
}


class Generated(SphinxDirective):
    """A table of ``TABLES``, parsed as Markdown."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        text = TABLES[self.arguments[0]]()
        if not text.strip():
            raise self.error(f"nothing to show for {self.arguments[0]}")
        return self.parse_text_to_nodes(text)


def setup(app: Sphinx) -> dict[str, bool]:
    """Sphinx calls this."""
    app.add_directive("generated", Generated)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
