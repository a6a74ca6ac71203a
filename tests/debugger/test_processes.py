"""Programs in processes of their own: whatever standard input is, and whichever debugger PYTHONBREAKPOINT names."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import depyf

SOURCES = str(Path(depyf.__file__).parents[1])
SCRIPT = """
import torch, depyf
@torch.compile(backend="eager")
def f(x):
    return x + 1
with depyf.prepare_debug("dump"):
    f(torch.ones(2))
with depyf.debug():
    y = f(torch.ones(2))
print("went on", y.tolist())
"""


def run(folder: Path, commands: str, closed: bool = False, **environment: str) -> subprocess.CompletedProcess[str]:
    (folder / "script.py").write_text(SCRIPT, encoding="utf-8")
    return subprocess.run(
        ["sh", "-c", f"exec {sys.executable} script.py {'<&-' if closed else ''}"],
        cwd=folder,
        input=commands,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env={**os.environ, "PYTHONPATH": SOURCES, "PYTHONBREAKPOINT": "", **environment},
    )


@pytest.mark.parametrize(
    ("commands", "closed", "goes_on"),
    [("s\nn\nc\n", False, True), ("q\n", False, False), ("", False, True), ("", True, True)],
)
def test_standard_input_is_a_pipe_or_closed(commands, closed, goes_on, tmp_path):
    ran = run(tmp_path, commands, closed)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ("went on [2.0, 2.0]" in ran.stdout) == goes_on
    assert "script.py(9)<module>()" in ran.stdout
    assert ("goes on without the debugger" in ran.stdout) == (commands == "")


def test_debugger_of_ipython_stops_in_the_frame_of_the_user_and_in_files_that_run(tmp_path):
    pytest.importorskip("IPython")
    commands = "b dump/__transformed_code_0_for_f.py:4\nc\np x.shape\nc\n"
    # Its history is a file in the folder of the user.
    own = {"IPYTHONDIR": str(tmp_path / "ipython"), "NO_COLOR": "1", "PYTHON_COLORS": "0"}
    ran = run(tmp_path, commands, PYTHONBREAKPOINT="IPython.core.debugger.set_trace", **own)
    said = re.sub(r"\x1b\[[\d;]*m", "", ran.stdout)
    stops = re.findall(r"^(?:ipdb> )?> \S*/(\S+?)\((\d+)\)", said, re.MULTILINE)
    assert stops == [("script.py", "9"), ("__transformed_code_0_for_f.py", "4")]
    assert "torch.Size([2])" in said and said.endswith("went on [2.0, 2.0]\n") and ran.returncode == 0
    assert "what runs now is in" in ran.stderr
