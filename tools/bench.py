"""Speed of the decompiler: how it grows with a program, and where the time goes on a library.

    python tools/bench.py                        growth of every family, then stages on one file in 40 of the library
    python tools/bench.py --growth "nested ifs" --lengths 16 64 256
    python tools/bench.py --stages --every 1     the whole standard library
    python tools/bench.py --dynamo               Dynamo's code of a transformer, beside what compiling it takes
    python tools/bench.py --json bench.json      the same numbers for programs

Growth: milliseconds of decompiling and verifying a function that has a construct n times; twice the length should take
twice the time, 2.4 times at most.  Stages: seconds by stage, each file beside what CPython takes to compile the printed
source and to list the instructions of both code objects.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Dict

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from benchmarks import generated, growth, stages
from benchmarks.programs import FAMILIES
from print_library import standard_library


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--growth", nargs="*", metavar="FAMILY", help="these families, all if none is named; no stages")
    parser.add_argument("--lengths", nargs="*", type=int, default=growth.LENGTHS, metavar="N")
    parser.add_argument("--stages", action="store_true", help="no growth")
    parser.add_argument("--dynamo", action="store_true", help="only what Dynamo generates; needs torch")
    parser.add_argument("--every", type=int, default=40, metavar="N", help="one file in N of the standard library")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to write the numbers")
    options = parser.parse_args()
    found: Dict[str, Any] = {"python": sys.version.split()[0]}
    if options.dynamo:
        print(generated.sentence(generated.cost()))
        return 0
    if not options.stages:
        found["growth"] = _growth(options.growth or list(FAMILIES), options.lengths)
    if options.growth is None:
        profile = stages.profile(list(standard_library())[:: options.every])
        print(stages.table(profile))
        found["stages"] = profile._asdict()
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    return 0


def _growth(families: Any, lengths: Any) -> Dict[str, object]:
    rows = []
    print(growth.head(lengths))
    for family in families:
        rows.append(growth.measured(family, lengths))
        print(growth.line(rows[-1], lengths), flush=True)
    print(growth.refused(rows))
    return growth.as_json(rows)


if __name__ == "__main__":
    sys.exit(main())
