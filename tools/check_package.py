"""Check what users install: build sdist and wheel, look into both, and install the wheel in clean environments.

    python tools/check_package.py [FOLDER]      keep sdist and wheel in FOLDER (default: dist)

The sdist is made of this checkout; the wheel is made of the unpacked sdist, with nothing on PATH and no package index:
whoever packages depyf has no git and no network.  Then, on every CPython that is here: a new environment, the wheel and
nothing else, and the commands that need no torch.  Exits with 1 at the first thing that is not as it should be.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from email.parser import Parser
from pathlib import Path
from typing import List, Set

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ["3.8", "3.9", "3.10", "3.11", "3.12", "3.13"]  # PYVERSIONS
IN_SDIST = [
    "LICENSE",
    "README.md",
    "CHANGES.md",
    "Makefile",
    "pyproject.toml",
    "docs/equivalence.md",
    "examples/toy_example.py",
    "src/depyf/py.typed",
    "tests/test_import.py",
    "tests/cases/loops/while_else.py",
    "tools/find_python.sh",
]
# Run outside of the checkout, so that nothing but the installed package can be found.
SMOKE = """
import depyf, importlib.metadata, os, sys, textwrap
assert os.path.dirname(depyf.__file__).startswith(sys.prefix), depyf.__file__
assert os.path.exists(os.path.join(os.path.dirname(depyf.__file__), "py.typed"))
assert "def shorten(text, width" in depyf.decompile(textwrap.shorten)
assert "torch" not in sys.modules
others = {found.metadata["Name"].lower() for found in importlib.metadata.distributions()}
assert others <= {"depyf", "pip", "setuptools"}, others
"""


def run(*command: object, cwd: Path, **environment: str) -> str:
    """The output of a command that has to succeed; the environment is what is given and nothing else."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(f"{' '.join(words)}\n{done.stdout}\nstopped with {done.returncode}")
    return done.stdout


def build(folder: Path, scratch: Path) -> Path:
    """Build the sdist of this checkout, and the wheel of the sdist; returns the wheel."""
    hatchling = [sys.executable, "-m", "hatchling", "build", "-d", folder]
    run(*hatchling, "-t", "sdist", cwd=ROOT)
    (sdist,) = folder.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(scratch)  # our own archive, made a moment ago
    (unpacked,) = scratch.iterdir()
    lacking = [name for name in IN_SDIST if not (unpacked / name).exists()]
    require(not lacking, f"the sdist lacks {lacking}")
    run(*hatchling, "-t", "wheel", cwd=unpacked, PATH=os.devnull)
    (wheel,) = folder.glob("*.whl")
    return wheel


def look_into(wheel: Path) -> None:
    """The package, whole, and nothing else; no dependency."""
    source = ROOT / "src"
    wanted = {str(path.relative_to(source)) for path in source.rglob("*") if _is_shipped(path)}
    with zipfile.ZipFile(wheel) as archive:
        names: Set[str] = {name for name in archive.namelist() if ".dist-info/" not in name}
        (metadata,) = (archive.read(name).decode() for name in archive.namelist() if name.endswith("/METADATA"))
    require(names == wanted, f"the wheel differs from src/: {sorted(names ^ wanted)}")
    needed: List[str] = Parser().parsestr(metadata).get_all("Requires-Dist", [])
    unconditional = [each for each in needed if "extra ==" not in each]
    require(not unconditional, f"the wheel pulls in {unconditional}")


def _is_shipped(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts


def install(wheel: Path, version: str, scratch: Path) -> bool:
    """Install the wheel alone and use it; False where this Python is not here."""
    finder = subprocess.run([ROOT / "tools" / "find_python.sh", version], text=True, capture_output=True)
    if finder.returncode:
        return False
    environment, elsewhere = scratch / version, scratch / f"in-{version}"
    elsewhere.mkdir()
    run(finder.stdout.strip(), "-m", "venv", environment, cwd=elsewhere)
    python = environment / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--no-index", wheel, cwd=elsewhere)
    run(python, "-c", SMOKE, cwd=elsewhere)
    for command in ([python, "-m", "depyf"], [environment / "bin" / "depyf"]):
        require("depyf" in run(*command, "--version", cwd=elsewhere), f"{command} on {version}")
        require("def shorten(" in run(*command, "decompile", "textwrap:shorten", cwd=elsewhere), f"{command}")
    return True


def require(holds: bool, otherwise: str) -> None:
    """Stop with a message unless something holds."""
    if not holds:
        sys.exit(otherwise)


def main(folder: str = "dist") -> int:
    """Command line."""
    kept = Path(folder).resolve()
    kept.mkdir(parents=True, exist_ok=True)
    for old in [*kept.glob("depyf-*.tar.gz"), *kept.glob("depyf-*.whl")]:
        old.unlink()
    with tempfile.TemporaryDirectory() as scratch:
        unpacked = Path(scratch) / "sdist"
        wheel = build(kept, unpacked)
        look_into(wheel)
        here = [version for version in PYTHONS if install(wheel, version, Path(scratch))]
    require(bool(here), f"none of CPython {', '.join(PYTHONS)} is here")
    print(f"{wheel.name}: built without git or network, needs nothing, works on CPython {', '.join(here)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
