"""Draw the plots of the documentation from the committed counts: ``python tools/plots.py``."""

from __future__ import annotations

import json
import sys
from math import log2
from pathlib import Path
from typing import Any

EVIDENCE = Path(__file__).resolve().parent.parent / "docs" / "evidence"
KINDS = {"same": "#2e9e5b", "alike": "#9fd3b0", "wrong": "#c9302c", "no Python": "#e8a33d", "no answer": "#c8ccd2"}
STYLE = """<style>
  text { font: 11px system-ui, sans-serif; fill: #333 } .head { font-weight: 600 } .axis { stroke: #ccc }
  @media (prefers-color-scheme: dark) { text { fill: #ddd } .axis { stroke: #555 } }
</style>"""


def decompilers(measured: dict[str, Any]) -> str:
    """A stacked bar for each package, grouped by Python."""
    left, width, bar = 210, 620, 13
    y, drawn = 46.0, [_legend(left)]
    for python, row in measured["pythons"].items():
        drawn.append(f'<text class="head" x="14" y="{y + 10}">CPython {python}</text>')
        for name in ["ours", *measured["reads"]]:
            counts = row["of"].get(name)
            if counts is None:
                continue
            title = "depyf (this one)" if name == "ours" else f"{name} {counts['version']}"
            drawn.append(f'<text x="{left - 8}" y="{y + 10}" text-anchor="end">{title}</text>')
            drawn += _bar(counts, left, y, width, bar)
            y += bar + 3
        y += 10
    return _svg(left + width + 20, y, drawn, "Answers by decompiler and Python")


def _bar(counts: dict[str, Any], left: float, top: float, width: float, height: float) -> list[str]:
    total = sum(counts.get(kind, 0) for kind in KINDS)
    drawn, x = [], left
    for kind, colour in KINDS.items():
        wide = width * counts.get(kind, 0) / total
        if wide:
            label = f"<title>{kind}: {counts[kind]} of {total}</title>"
            drawn.append(
                f'<rect x="{x:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{height}" fill="{colour}">{label}</rect>'
            )
        x += wide
    return drawn


def _legend(left: float) -> str:
    found, x = [], left
    for kind, colour in KINDS.items():
        found.append(
            f'<rect x="{x}" y="16" width="12" height="12" fill="{colour}"/><text x="{x + 17}" y="26">{kind}</text>'
        )
        x += 105
    return "".join(found)


def growth(rows: dict[str, dict[str, float | None]]) -> str:
    """Milliseconds against length, both logarithmic: a line of slope one is linear."""
    left, top, width, height = 60.0, 20.0, 520.0, 320.0
    lengths = sorted({int(length) for row in rows.values() for length in row})
    points = {family: [1000 * each for each in row.values() if each] for family, row in rows.items()}
    most = max(max(each) for each in points.values() if each)
    least = min(min(each) for each in points.values() if each)

    def place(number: int, ms: float) -> str:
        x = left + width * log2(lengths[number] / lengths[0]) / log2(lengths[-1] / lengths[0])
        y = top + height * (1 - log2(ms / least) / log2(most / least))
        return f"{x:.1f},{y:.1f}"

    drawn = [f'<path class="axis" d="M{left} {top}V{top + height}H{left + width}" fill="none"/>']
    for number, length in enumerate(lengths):
        x = place(number, least).split(",")[0]
        drawn.append(f'<text x="{x}" y="{top + height + 16}" text-anchor="middle">{length}</text>')
    for ms in (1, 10, 100, 1000):
        if least <= ms <= most:
            y = place(0, ms).split(",")[1]
            drawn.append(f'<text x="{left - 6}" y="{y}" text-anchor="end">{ms} ms</text>')
    for family, found in points.items():
        line = " ".join(place(number, ms) for number, ms in enumerate(found))
        shown = 'fill="none" stroke="#3572a5" stroke-opacity="0.55"'
        drawn.append(f'<polyline points="{line}" {shown}><title>{family}</title></polyline>')
    return _svg(left + width + 30, top + height + 30, drawn, "Time to decompile and verify, by length of the program")


def _svg(width: float, height: float, drawn: list[str], says: str) -> str:
    body = "\n".join(drawn)
    box = f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{says}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>\n{STYLE}\n{body}\n</svg>\n'


def main() -> int:
    """Draw both."""
    measured = json.loads((EVIDENCE / "decompilers.json").read_text("utf-8"))
    (EVIDENCE / "decompilers.svg").write_text(decompilers(measured), "utf-8")
    grown = json.loads((EVIDENCE / "growth.json").read_text("utf-8"))["growth"]
    (EVIDENCE / "growth.svg").write_text(growth(grown), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
