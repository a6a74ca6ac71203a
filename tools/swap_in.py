"""Run programs with decompiled code in the place of all code that Dynamo generates, and compare with runs without.

    python tools/swap_in.py                             every database of torch, and the programs of the tests
    python tools/swap_in.py operators --samples 5       one source
    python tools/swap_in.py programs --only super       programs whose name has "super" in it, again

Sources: ``programs`` (tests/symbolic/programs), and torch's sample databases ``operators``, ``modules``,
``optimizers`` (torch.testing._internal, which wants ``pip install expecttest numpy``).  Results are kept in
``--results``; what is there is not run again.  Ends with counts; the exit status is 0 when all are proven and equal.
"""

from __future__ import annotations

import argparse
import runpy
import sys
import warnings
from pathlib import Path
from typing import Iterator

from in_place.databases import DATABASES, Named
from in_place.sweep import compared, known, line, summary, sweep

ROOT = Path(__file__).resolve().parent.parent

PROGRAMS = ROOT / "tests" / "symbolic" / "programs"


def programs(_samples: int) -> Iterator[Named]:
    """The programs that the tests run."""
    for path in sorted(PROGRAMS.glob("*.py")):
        for program in runpy.run_path(str(path))["PROGRAMS"]:
            yield f"{path.stem}/{program.__name__}", program


SOURCES = {"programs": programs, **DATABASES}


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="*", default=list(SOURCES), metavar="SOURCE")
    parser.add_argument("--samples", type=int, default=3, help="samples per entry of a database")
    parser.add_argument("--backend", default="eager")
    parser.add_argument("--only", help="run only names with this text in them, whatever is known; keep nothing")
    parser.add_argument("--results", type=Path, default=ROOT / "build" / "swap_in.jsonl")
    parser.add_argument("--part", type=int, default=0, help="this process is number PART ...")
    parser.add_argument("--parts", type=int, default=1, help="... of PARTS that share the work")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    found = (named for source in options.sources for named in SOURCES[source](options.samples))
    if options.only:
        rows = []
        for name, program in found:
            if options.only in name:
                rows.append(compared(name, program, options.backend))
                print(line(rows[-1]), flush=True)
    else:
        options.results.parent.mkdir(parents=True, exist_ok=True)
        sweep(found, options.results, options.backend, options.part, options.parts)
        rows = list(known(options.results).values())
    print(summary(rows))
    return 0 if all(row.equal or not row.repeats for row in rows) and not any(row.refused for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
