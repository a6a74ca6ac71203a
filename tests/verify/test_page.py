"""docs/equivalence.md says what the verifier does: its tables are the tables of the code."""

from __future__ import annotations

from pathlib import Path

import mutations

from depyf.decompiler.verify.checks import CODE_CHECKS, EDGE_CHECKS, NODE_CHECKS, REPLACEMENT_CHECKS
from depyf.decompiler.verify.rules import RULES

PAGE = (Path(__file__).resolve().parent.parent.parent / "docs" / "equivalence.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[str]:
    """The rows of the table under these column headings."""
    lines = PAGE[PAGE.index(f"| {heading} |\n") :].splitlines()[2:]
    return lines[: next(at for at, line in enumerate(lines) if not line.startswith("|"))]


def first_cells(heading: str) -> list[str]:
    return [row.split(" | ")[0].strip("| ") for row in rows(heading)]


def test_rules() -> None:
    written = [f"| {rule.name} | `{rule.picture}` | {rule.safe} |" for rule in RULES.values()]
    assert rows("name | says | because") == written
    axioms = [rule.axiom for rule in RULES.values() if rule.axiom]
    assert len(axioms) == 1
    assert axioms[0] in PAGE


def test_checks() -> None:
    assert first_cells("of a node | because") == [*NODE_CHECKS, *EDGE_CHECKS]
    assert first_cells("of a code object | because") == [*CODE_CHECKS, *REPLACEMENT_CHECKS]


def test_kinds_of_mutants() -> None:
    assert f"({len(mutations.SOURCE)} kinds)" in PAGE
    assert f"({len(mutations.BYTECODE)}\n  kinds)" in PAGE
