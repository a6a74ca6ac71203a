"""What importing the package does, and does not do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import List

import pytest

import depyf


def run(program: str, *options: str) -> str:
    """What a new process prints."""
    command: List[str] = [sys.executable, *options, "-c", program]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def test_no_torch_is_imported() -> None:
    assert run("import depyf, sys; print('torch' in sys.modules)") == "False\n"


def test_import_needs_nothing_that_was_installed() -> None:
    source = str(Path(depyf.__file__).parent.parent)
    program = f"import sys; sys.path.insert(0, {source!r}); import depyf; print(depyf.__version__)"
    assert run(program, "-I", "-S") == depyf.__version__ + "\n"


def test_a_name_that_needs_torch_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match="torch"):
        depyf.prepare_debug("nowhere")


def test_every_public_name_is_listed() -> None:
    assert set(depyf.__all__) <= set(dir(depyf))
