"""Write the table of decompilers into the READMEs from the committed counts: ``python tools/readme_table.py``."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
COUNTS = ROOT / "docs" / "evidence" / "decompilers.json"
READMES = ["README.md", "README.zh_CN.md"]
PLACE = re.compile(r"(<!-- decompilers: .*? -->\n).*?(<!-- end -->)", re.DOTALL)
KINDS = ("same", "alike", "wrong", "no Python", "no answer")
NOT_READ = "-"


def table(measured: dict[str, Any]) -> str:
    """Decompilers by Python version, and what Dynamo generates."""
    columns: dict[str, dict[str, Any]] = {
        **{version: row["of"] for version, row in measured["pythons"].items()},
        f"PyTorch {measured['dynamo']['ours']['torch']}": measured["dynamo"],
    }
    lines = ["| | " + " | ".join(columns) + " |", "|---|" + "--:|" * len(columns)]
    for name in ["ours", *measured["reads"]]:
        cells = [share(of.get(name)) for of in columns.values()]
        title = "**depyf**" if name == "ours" else f"{name} {version_of(name, measured)}"
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def version_of(name: str, measured: dict[str, Any]) -> str:
    """The released version that was measured."""
    return str(next(row["of"][name]["version"] for row in measured["pythons"].values() if name in row["of"]))


def share(counts: dict[str, Any] | None) -> str:
    """Right (wrong), in per cent of all."""
    if counts is None:
        return NOT_READ
    total = sum(counts.get(kind, 0) for kind in KINDS)
    right = counts.get("same", 0) + counts.get("alike", 0)
    return f"{percent(right, total)} ({percent(counts.get('wrong', 0), total)})"


def percent(count: int, total: int) -> str:
    """Never rounded to all or to nothing when it is not."""
    text = f"{100 * count / total:.1f}"
    if text == "100.0" and count < total:
        return "99.9"
    if text == "0.0" and count:
        return "0.1"
    return text.replace(".0", "") if text in ("100.0", "0.0") else text


def main() -> int:
    """Replace what stands between the marks."""
    written = table(json.loads(COUNTS.read_text("utf-8")))
    for name in READMES:
        path = ROOT / name
        path.write_text(PLACE.sub(lambda found: found[1] + written + "\n" + found[2], path.read_text("utf-8")), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
