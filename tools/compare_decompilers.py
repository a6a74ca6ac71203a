"""Compare decompilers side by side: the same functions, the released packages, one judge that none of them shares.

    python tools/compare_decompilers.py                     every Python that is here, one function in 40
    python tools/compare_decompilers.py --pythons 3.8 3.12  some of them
    python tools/compare_decompilers.py --every 400 --work /tmp/w --out /tmp/counts.json

Run it where torch is installed: the released depyf and this one also answer for what Dynamo generates.

Installs the packages below from the package index into environments of their own (``.venv-peers-NAME-X.Y``), runs them
as their users do, and writes counts and seconds to ``docs/evidence/decompilers.json``.  CPython 3.14 runs as
WebAssembly where Node and Pyodide are; its seconds are no measure and are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ROOT / "tools" / "peers"
PYODIDE = ROOT / "tools" / "py314"
OUT = ROOT / "docs" / "evidence" / "decompilers.json"
PYTHONS = ["3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14"]  # PYVERSIONS
SECONDS_WITHOUT_ANSWER = 60
OURS = "ours"


class Peer(NamedTuple):
    """A released package; ``pythons`` is whose bytecode it says it reads, ``host`` the Python that it runs on."""

    name: str
    version: str
    pythons: list[str]
    how: list[str]
    host: str | None = None  # None: the Python whose bytecode it is

    def runs_on(self, python: str) -> str:
        """The Python that reads the bytecode of ``python``."""
        return self.host or python


PEERS = [
    Peer("depyf", "0.20.0", PYTHONS[:-1], ["decompile"]),
    Peer("uncompyle6", "3.9.3", ["3.8"], ["-o", "{out}", "{pyc}"], "3.8"),
    Peer("decompyle3", "3.9.3", ["3.8"], ["-o", "{out}", "{pyc}"], "3.8"),
    Peer("pycdecompile", "0.1.2.2", PYTHONS, ["python", "pycdecompiler:decompile_file"], "3.12"),
    Peer("depyo", "1.3.0", PYTHONS, ["--out", "{pyc}"], "3.12"),
]


def python_of(version: str) -> Path | None:
    """The interpreter, if it is here."""
    found = subprocess.run([ROOT / "tools" / "find_python.sh", version], capture_output=True, text=True)
    return Path(found.stdout.strip()) if found.returncode == 0 else None


def environment(peer: Peer, python: str) -> Path | None:
    """A Python that has the package and nothing else; made when it is not there."""
    folder = ROOT / f".venv-peers-{peer.name}-{python}"
    inside = folder / "bin" / "python"
    if not inside.exists():
        host = python_of(python)
        if host is None:
            return None
        subprocess.run([host, "-m", "venv", folder], check=True)
        subprocess.run([inside, "-m", "pip", "install", "-q", f"{peer.name}=={peer.version}"], check=True)
    return inside


class Sample:
    """The functions of one Python, compiled by it, in a folder."""

    def __init__(self, python: str, folder: Path) -> None:
        self.python, self.folder = python, folder
        folder.mkdir(parents=True, exist_ok=True)

    def run(self, tool: str, *words: str) -> None:
        """One of our programs, on the Python of the sample."""
        if self.python == "3.14":
            node = ["node", PYODIDE / "run.mjs", f"tools/peers/{tool}.py", "/corpus", *words]
            subprocess.run(node, env={**os.environ, "CORPUS": str(self.folder)}, check=True)
            return
        source = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        subprocess.run([python_of(self.python), TOOLS / f"{tool}.py", self.folder, *words], env=source, check=True)

    def choose(self, every: int) -> None:
        """Compile the functions."""
        if self.python == "3.14":
            with zipfile.ZipFile(PYODIDE / "node_modules" / "pyodide" / "python_stdlib.zip") as archive:
                archive.extractall(self.folder / "library")
            self.run("sample", str(every), "/corpus/library")
            return
        where = [python_of(self.python), "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])"]
        library = subprocess.run(where, capture_output=True, text=True, check=True).stdout.strip()
        self.run("sample", str(every), library)

    def ask(self, peer: Peer) -> None:
        """All answers of a package; what crashes it or hangs it counts as no answer."""
        inside = environment(peer, peer.runs_on(self.python))
        if inside is None:
            return
        functions = json.loads((self.folder / "sample.json").read_text())["functions"]
        answers = self.folder / f"{peer.name}.jsonl"
        while (done := _lines(answers)) < len(functions):
            process = subprocess.Popen([inside, TOOLS / "answer.py", self.folder, peer.name, *peer.how])
            if _watched(process, answers) and _lines(answers) == len(functions):
                break
            if not (self.folder / f"{peer.name}.begun").exists() and _lines(answers) == done:
                raise RuntimeError(f"{peer.name} does not start on {inside}")
            with answers.open("a") as lines:
                lines.write(json.dumps({"error": f"stopped with {process.returncode}", "seconds": 0.0}) + "\n")

    def counts(self) -> dict[str, Any]:
        """What came of it, by package."""
        self.run("judge")
        sample = json.loads((self.folder / "sample.json").read_text())
        found: dict[str, Any] = {"python": sample["python"], "functions": len(sample["functions"]), "of": {}}
        for path in sorted(self.folder.glob("*.verdicts.json")):
            name = path.name.partition(".")[0]
            verdicts = json.loads(path.read_text())
            seconds = [json.loads(line)["seconds"] for line in (self.folder / f"{name}.jsonl").read_text().splitlines()]
            found["of"][name] = {
                "version": (self.folder / f"{name}.version").read_text(),
                **dict(sorted(Counter(verdicts).items())),
                "seconds per 1000": None if self.python == "3.14" else round(1000 * sum(seconds) / len(seconds), 1),
            }
        return found


def _lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines()) if path.exists() else 0


def _watched(process: subprocess.Popen[bytes], answers: Path) -> bool:
    """Whether it ended by itself and well; it is killed when no answer arrives for a minute."""
    seen, since = _lines(answers), time.monotonic()
    while process.poll() is None:
        time.sleep(0.2)
        now = _lines(answers)
        if now != seen:
            seen, since = now, time.monotonic()
        elif time.monotonic() - since > SECONDS_WITHOUT_ANSWER:
            process.kill()
            process.wait()
    return process.returncode == 0


def measured(python: str, every: int, work: Path) -> dict[str, Any]:
    """One row of the table."""
    sample = Sample(python, work / python)
    if not (sample.folder / "sample.json").exists():
        sample.choose(every)
    if not (sample.folder / "ours.jsonl").exists():
        sample.run("answer", OURS, "decompile")
    for peer in PEERS:
        if python in peer.pythons:
            sample.ask(peer)
    return sample.counts()


def dynamo() -> dict[str, Any]:
    """Answers in the place of Dynamo's code, by this package and by the one that can do the same; needs torch here."""
    released = PEERS[0]
    inside = environment(released, "{}.{}".format(*sys.version_info))
    packages = {OURS: ROOT / "src"}
    if inside is not None:
        where = [inside, "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"]
        packages[released.name] = Path(subprocess.run(where, capture_output=True, text=True, check=True).stdout.strip())
    found = {}
    for name, path in packages.items():
        command = [sys.executable, TOOLS / "dynamo.py"]
        source = {**os.environ, "PYTHONPATH": str(path)}
        done = subprocess.run(command, env=source, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        found[name] = json.loads(done.stdout.splitlines()[-1])
    return found


def is_here(python: str) -> bool:
    """3.14 is Pyodide's."""
    if python == "3.14":
        return (PYODIDE / "node_modules" / "pyodide").exists()
    return python_of(python) is not None


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pythons", nargs="+", choices=PYTHONS, default=PYTHONS, metavar="X.Y")
    parser.add_argument("--every", type=int, default=40, metavar="N", help="one function in N (default: %(default)s)")
    parser.add_argument("--work", type=Path, help="keep samples and answers here, and go on from what is there")
    parser.add_argument("--out", type=Path, default=OUT, help="default: %(default)s")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        rows = {}
        for python in filter(is_here, options.pythons):
            rows[python] = measured(python, options.every, options.work or Path(scratch))
            print(python, json.dumps(rows[python], indent=1), flush=True)
    programs = dynamo()
    print("Dynamo", json.dumps(programs, indent=1), flush=True)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    says = {peer.name: peer.pythons for peer in PEERS}
    text = json.dumps({"every": options.every, "reads": says, "pythons": rows, "dynamo": programs}, indent=1)
    options.out.write_text(text + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
