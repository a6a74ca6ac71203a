"""Check the cases of ``tests/cases/`` without pytest: ``check_cases.py [WORDS]``, WORDS being a part of their paths."""

from __future__ import annotations

import sys

from cases import NAME, all_cases, check


def main(words: str = "") -> int:
    """Print what is broken; 1 if anything is."""
    cases = [case for case in all_cases(words) if case.is_for_this_python]
    broken = 0
    for case in cases:
        try:
            check(case)
        except AssertionError as failure:
            broken += 1
            print(failure, file=sys.stderr)
    print(f"Python {NAME}: {len(cases) - broken} of {len(cases)} cases hold")
    return 1 if broken or not cases else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
