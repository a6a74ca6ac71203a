"""Draw the README's picture from the files of a dump: ``picture.py DUMP OUT.svg``.

    python docs/exhibits/toy.py && python tools/picture.py dump docs/_static/picture.svg

Five panels, each an excerpt of a file that depyf wrote: a function, what has to hold, the code that runs, its graph, a
kernel.
"""

from __future__ import annotations

import json
import sys
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

LINE = 15.0
MOST_LINES = 9


class Panel(NamedTuple):
    """A box with a title and lines; ``marked`` is a text whose line stands out."""

    left: float
    top: float
    width: float
    title: str
    lines: list[str]
    marked: str = ""

    @property
    def height(self) -> float:
        """With title and margins."""
        return 34 + LINE * len(self.lines)

    def draw(self) -> list[str]:
        """As SVG elements."""
        found = [
            f'<rect x="{self.left}" y="{self.top}" width="{self.width}" height="{self.height}" rx="7" class="panel"/>',
            f'<text x="{self.left + 12}" y="{self.top + 18}" class="title">{escape(self.title)}</text>',
        ]
        for number, line in enumerate(self.lines):
            kind = "marked" if self.marked and self.marked in line else "code"
            y = self.top + 38 + LINE * number
            found.append(
                f'<text x="{self.left + 12}" y="{y}" class="{kind}" xml:space="preserve">{escape(line)}</text>'
            )
        return found


def panels(dump: Path) -> list[Panel]:
    """The first function of the record and its first entry."""
    frame = json.loads((dump / "depyf.json").read_text("utf-8"))["frames"][0]
    entry = frame["entries"][0]
    source = [line for line in frame["source"].splitlines() if line.strip()]
    broken = entry["breaks"][0]
    marked = broken["user_code"].strip()
    source = [line + ("   # <-- graph break" if marked in line else "") for line in source]
    guards = [guard["words"] for guard in entry["guards"] if not guard["about_torch"]][:4]
    code = _without_instrumentation(entry["transformed_source"])
    kernel = entry["graph"]["kernels"][0]["file"]
    left, right = 18.0, 478.0
    first = Panel(left, 18, 440, f"{Path(frame['file']).name}: as written", source, marked)
    second = Panel(
        right, 18, 504, "Dynamo's bytecode as proved source (its instrumentation left out)", code, "__compiled_fn"
    )
    third = Panel(left, first.top + first.height + 16, 440, "runs when (guards)", guards)
    fourth = Panel(right, second.top + second.height + 16, 504, "__compiled_fn_1: the graph", _code(entry["graph"]))
    lowest = max(third.top + third.height, fourth.top + fourth.height)
    fifth = Panel(left, lowest + 16, 964, f"{kernel}: what Inductor made of it", _loop(dump / kernel))
    return [first, second, third, fourth, fifth]


def _without_instrumentation(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip() and "record_pregraph_bytecode" not in line]


def _code(graph: dict[str, Any]) -> list[str]:
    return [line for line in graph["code"].splitlines() if line.strip()]


def _loop(kernel: Path) -> list[str]:
    """The longest run of arithmetic in a C++ kernel, and the store behind it."""
    lines = [line.strip() for line in kernel.read_text("utf-8").splitlines()]
    runs = [list(group) for arithmetic, group in groupby(lines, lambda line: line.startswith("auto tmp")) if arithmetic]
    longest = max(runs, key=len)
    store = lines[lines.index(longest[-1]) + 1]
    return [line.replace("static_cast<int64_t>", "") for line in (*longest[:MOST_LINES], store)]


def picture(drawn: list[Panel]) -> str:
    """The whole SVG; its colours follow the reader's, light or dark."""
    height = max(panel.top + panel.height for panel in drawn) + 18
    elements = "\n".join(line for panel in drawn for line in panel.draw())
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 {height:.0f}" role="img"
 aria-label="A function, its guards, the code that runs, its graph and its kernel, as depyf shows them">
<style>
  .ground {{ fill: #ffffff }} .panel {{ fill: #f7f8fa; stroke: #d5d9e0 }}
  .title {{ font: 600 12px system-ui, sans-serif; fill: #ee4c2c }}
  .code, .marked {{ font: 11px ui-monospace, Menlo, Consolas, monospace; fill: #24292f }}
  .marked {{ fill: #b3372a; font-weight: 600 }}
  @media (prefers-color-scheme: dark) {{
    .ground {{ fill: #0d1117 }} .panel {{ fill: #161b22; stroke: #30363d }}
    .code {{ fill: #e6edf3 }} .marked {{ fill: #ff9e8a }}
  }}
</style>
<rect class="ground" width="1000" height="{height:.0f}" rx="10"/>
{elements}
</svg>
"""


def main(dump: Path, out: Path) -> int:
    """Draw."""
    out.write_text(picture(panels(dump)), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
