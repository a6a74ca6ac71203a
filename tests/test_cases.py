"""Every construct, one readable file each: verified, behaves the same, reads as written (``tools/cases.py``)."""

from __future__ import annotations

import pytest
from cases import FOLDER, NAME, Case, all_cases, check

from depyf.decompiler.refusals import REFUSALS


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.path.relative_to(FOLDER).with_suffix("").as_posix())
def test_case(case: Case) -> None:
    if not case.is_for_this_python:
        pytest.skip(f"not for Python {NAME}")
    check(case)


def test_refusals_that_cases_name_exist() -> None:
    named = {name for case in all_cases() for name in case.refused.values()}
    assert named <= {refusal.name for refusal in REFUSALS}
