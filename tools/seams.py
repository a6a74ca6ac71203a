"""Probe the private names of torch that depyf relies on against the torch of the running Python.

    python tools/seams.py             what is there and where, and what is lost without the rest
    python tools/seams.py --draft     the same as docs/torch/<version>.md, unless that is written already

Another torch: run it with the Python of an environment that has it. Exits with 1 when a name is missing.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from depyf.capture.seams import DEBUG_SEAMS, SEAMS, Seam, torch_version  # noqa: E402

PAGE = """\
# torch {version}

Drafted by `tools/seams.py` with torch {full} on Python {python}. depyf uses of it what [2.13](2.13.md) lists, but:

| seam | where it is | what is lost |
|---|---|---|
{rows}
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--draft", action="store_true", help="write docs/torch/<version>.md")
    options = parser.parse_args()
    version = torch_version()
    seams = (*SEAMS, *DEBUG_SEAMS)
    absent = [seam for seam in seams if seam.find() is None]
    if options.draft:
        print(draft(version, seams, absent))
        return 0
    print(f"torch {version}")
    for seam in seams:
        print(f"{'MISSING' if seam in absent else 'there':8} {seam.name:30} {place(seam) or seam.without}")
    return 1 if absent else 0


def place(seam: Seam) -> str | None:
    """Where this torch has it, as it is written in the table."""
    found = next(seam.places(), None)
    return None if found is None else f"{found[0].__name__}:{found[1]}"


def draft(version: str, seams: tuple[Seam, ...], absent: list[Seam]) -> str:
    """The page's path; written when there is none."""
    short = ".".join(version.split(".")[:2])
    path = ROOT / "docs" / "torch" / f"{short}.md"
    elsewhere = [seam for seam in seams if seam not in absent and place(seam) != seam.at]
    rows = [f"| {seam.name} | `{place(seam)}` | |" for seam in elsewhere]
    rows += [f"| {seam.name} | missing | {seam.without} |" for seam in absent]
    python = ".".join(map(str, sys.version_info[:2]))
    if not path.exists():
        page = PAGE.format(
            version=short,
            full=version.partition("+")[0],
            python=python,
            rows="\n".join(rows) or "| all of them | as there | |",
        )
        path.write_text(page, encoding="utf-8")
    return str(path.relative_to(ROOT))


if __name__ == "__main__":
    sys.exit(main())
