"""Write what the running Python prints into the ``# expect`` parts of cases, and the list of normalisations.

``git diff`` is the review.

python tools/golden.py while_else      the cases whose path contains the word; all without one
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from cases import BrokenPromise, all_cases, updated
from normalisations import written_list


def main() -> int:
    """Run the command; 1 when a case has no verified answer."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="?", default="")
    root = Path(__file__).resolve().parent.parent
    (root / "docs" / "normalisations.md").write_text(written_list(), "utf-8")
    failed = 0
    for case in all_cases(parser.parse_args().words):
        if not case.is_for_this_python or case.refusal() is not None:
            continue
        try:
            text = updated(case)
        except BrokenPromise as failure:
            print(failure)
            failed = 1
            continue
        if text != case.path.read_text("utf-8"):
            case.path.write_text(text, "utf-8")
            print(f"{case.path}: changed")
    return failed


if __name__ == "__main__":
    sys.exit(main())
