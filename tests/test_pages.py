"""What the pages outside of the site say is there: links, commands, environment variables."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = ["README.md", "README.zh_CN.md", "CONTRIBUTING.md", "CHANGES.md"]
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)|src=\"([^\":]+)\"")
VARIABLE = re.compile(r"DEPYF_[A-Z_]*[A-Z]")


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    found = [first or second for first, second in LINK.findall((ROOT / page).read_text("utf-8"))]
    assert [link for link in found if not (ROOT / link).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_commands_of_make_exist(page: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = set(re.findall(r"(?:`|\$ )make ([a-z]+)", (ROOT / page).read_text("utf-8")))
    assert named <= targets


def test_environment_variables_are_those_of_the_code() -> None:
    page = (ROOT / "docs" / "reference" / "environment.md").read_text("utf-8")
    read = {name for path in (ROOT / "src").rglob("*.py") for name in VARIABLE.findall(path.read_text("utf-8"))}
    documented = set(VARIABLE.findall(page))
    assert read <= documented
    assert documented - read <= {"DEPYF_REMOVE_TEMP"}  # of earlier versions, kept without a meaning
