"""Imports point one way: cli -> capture -> record, decompiler; and the last two know nobody else."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Iterator

import pytest

import depyf

PACKAGE = Path(depyf.__file__).parent
MAY_IMPORT = {
    "decompiler": {"depyf.decompiler"},
    "record": {"depyf.record"},
    "capture": {"depyf.capture", "depyf.record", "depyf.decompiler", "depyf.__init__", "torch"},
    "debugger": {
        "depyf.debugger",
        "depyf.capture",
        "depyf.record",
        "depyf.decompiler",
        "depyf.__init__",
    },
}


def imports(path: Path) -> Iterator[str]:
    """The full names of the modules that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ("depyf.__init__" if alias.name == "depyf" else alias.name for alias in node.names)


@pytest.mark.skipif(sys.version_info < (3, 10), reason="sys.stdlib_module_names is new in Python 3.10")
@pytest.mark.parametrize("layer", MAY_IMPORT)
def test_layer_imports(layer: str) -> None:
    allowed = {*sys.stdlib_module_names, *MAY_IMPORT[layer]}
    for path in (PACKAGE / layer).rglob("*.py"):
        for name in imports(path):
            assert any(f"{name}.".startswith(f"{module}.") for module in allowed), f"{path} imports {name}"
