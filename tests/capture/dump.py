"""What is true of every dump directory, and running a program with and without depyf."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

from depyf.record.schema import Entry, Session, from_json

SOURCES = Path(__file__).resolve().parents[2] / "src"
_FILE = re.compile(r"(?:full_code_for|__transformed_code|__compiled_fn)_\w+(?:\.\w+)+")


def check(directory: Path) -> Session:
    """Every file parses, has a portable name and is listed; every file that a file names is there."""
    session = from_json((directory / "depyf.json").read_text(encoding="utf-8"))
    present = {path.name for path in directory.iterdir()}
    assert present == set(session.files)
    for path in directory.iterdir():
        assert len(path.name.encode()) < 200
        assert re.fullmatch(r"[A-Za-z0-9_.]+", path.name)
        text = path.read_text(encoding="utf-8", errors="replace") if path.suffix in (".py", ".md", ".txt") else ""
        if path.suffix == ".py":
            compile(ast.parse(text), path.name, "exec", dont_inherit=True)
        if ".kernel_" not in path.name:
            assert set(_FILE.findall(text)) <= present, path.name
    return session


def entries(session: Session) -> dict[str, Entry]:
    """Compile id -> entry; ids must not repeat."""
    listed = [entry for frame in session.frames for entry in frame.entries]
    assert len({entry.compile_id for entry in listed}) == len(listed)
    return {entry.compile_id: entry for entry in listed}


def run(program: str, folder: Path, *, dump: bool, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a fresh process. Its ``with WATCH:`` block is watched with ``dump``, and plain without."""
    watched = "import depyf; WATCH = depyf.prepare_debug('dump')"
    plain = "import contextlib; WATCH = contextlib.nullcontext()"
    script = folder / "program.py"
    script.write_text(program.replace("# WATCH", watched if dump else plain), encoding="utf-8")
    keep = {name: os.environ[name] for name in ("PATH", "HOME", "TORCHINDUCTOR_CACHE_DIR") if name in os.environ}
    return subprocess.run(
        [sys.executable, str(script)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env={**keep, "PYTHONPATH": str(SOURCES), "PYTHONHASHSEED": "0", **environment},
    )
