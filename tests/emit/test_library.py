"""A sample of the standard library comes back the same tree; ``tools/print_library.py`` does the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from print_library import check, parsed, standard_library

NAMED = {
    "test_grammar.py",
    "test_fstring.py",
    "test_patma.py",
    "test_unpack_ex.py",
    "test_type_params.py",
    "test_ast.py",
}
FILES = [path for number, path in enumerate(standard_library()) if number % 60 == 0 or path.name in NAMED]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_file_comes_back(path: Path) -> None:
    tree = parsed(path.read_bytes())
    if tree is not None:
        assert check(tree).failure is None
