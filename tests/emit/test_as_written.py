"""Text that comes back as it stands: parentheses where they are needed and nowhere else, one layout."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import Iterator, List, Tuple

import pytest

from depyf.decompiler.emit import emit

FOLDER = Path(__file__).parent / "as_written"


def lines_of(name: str) -> List[Tuple[str, str]]:
    """Text and what it is printed as, for every case of a table."""
    lines = (FOLDER / name).read_text("utf-8").splitlines()
    cases = (line.partition("  =>  ") for line in lines if line and not line.startswith("# "))
    return [(text, printed or text) for text, _, printed in cases]


@pytest.mark.parametrize(("text", "printed"), lines_of("expressions.txt") + lines_of("fstrings.txt"))
def test_expression(text: str, printed: str) -> None:
    tree = ast.parse(text, mode="eval")
    assert emit(tree) == printed + "\n"
    assert ast.dump(ast.parse(printed, mode="eval")) == ast.dump(tree)


@pytest.mark.parametrize(("text", "printed"), lines_of("statements.txt"))
def test_simple_statement(text: str, printed: str) -> None:
    tree = ast.parse(text)
    assert emit(tree) == printed + "\n"
    assert ast.dump(ast.parse(printed)) == ast.dump(tree)


def files() -> Iterator[Path]:
    """The files of statements that the running Python can parse."""
    for path in sorted(FOLDER.glob("*.py")):
        since = re.match(r"# since: 3\.(\d+)\n", path.read_text("utf-8"))
        if since is None or sys.version_info >= (3, int(since[1])):
            yield path


@pytest.mark.parametrize("path", list(files()), ids=lambda path: path.stem)
def test_file(path: Path) -> None:
    written = re.sub(r"\A# since: .*\n", "", path.read_text("utf-8"))
    assert emit(ast.parse(written)) == written
