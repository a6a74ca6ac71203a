"""Exhibits: programs in ``docs/exhibits`` that run while the documentation is built, and what they left behind.

    ```{exhibit} toy                         the program
    ```{exhibit-output} toy                  what it printed
    ```{exhibit-file} toy dump/index.md      a file that it wrote
    {fact}`toy compilations`                 a value that it put into facts.json

``:from:`` and ``:to:`` cut an excerpt: it begins with the first line that matches the one regular expression and ends
in front of the first line after it that matches the other.  An excerpt that is not there fails the build, so that no
page shows what the program no longer does.  Every program runs in a folder of its own, with an empty Inductor cache; it
runs again when it, the package or torch has changed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective, SphinxRole

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAMS = ROOT / "docs" / "exhibits"
RESULTS = ROOT / "build" / "exhibits"
LANGUAGES = {".py": "python", ".md": "markdown", ".json": "json", ".txt": "text"}


@lru_cache(maxsize=None)
def result(name: str) -> Path:
    """The folder in which the exhibit has run; it runs now if it has not.  ExtensionError when it fails."""
    folder, program = RESULTS / name, PROGRAMS / f"{name}.py"
    stamp, wanted = folder / ".stamp", _stamp(program)
    if stamp.exists() and stamp.read_text() == wanted:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(program, folder)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TORCH", "DEPYF"))}
    environment = {**kept, "TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor")}
    done = subprocess.run([sys.executable, program.name], cwd=folder, env=environment, capture_output=True)
    if done.returncode:
        raise ExtensionError(f"exhibit {name} stopped with {done.returncode}:\n{done.stderr.decode()}")
    (folder / "output").write_bytes(done.stdout)
    stamp.write_text(wanted)
    return folder


def run_all(_app: Sphinx) -> None:
    """All exhibits, as many at once as there are processors; those that measure time run alone, after the others."""
    texts = {path.stem: path.read_text("utf-8") for path in sorted(PROGRAMS.glob("*.py"))}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(result, (name for name, text in texts.items() if "timeit" not in text)))
    for name in texts:
        result(name)


def _stamp(program: Path) -> str:
    content = hashlib.sha256(version("torch").encode())
    for path in [program, *sorted((ROOT / "src").rglob("*.py"))]:
        content.update(path.read_bytes())
    return content.hexdigest()


def portable(text: str, folder: Path) -> str:
    """A text without the places of this machine."""
    for place, name in ((folder, "."), (ROOT, "depyf"), (Path(sys.prefix), "venv"), (Path.home(), "~")):
        text = text.replace(str(place), name)
    return text


def excerpt(text: str, first: str | None, last: str | None) -> str:
    """The lines from ``first`` to ``last``, two regular expressions.  LookupError when one is not found."""
    lines = text.splitlines()
    begin = _position(lines, first, 0) if first else 0
    end = _position(lines, last, begin + 1) if last else len(lines)
    return "\n".join(lines[begin:end]).strip("\n")


def _position(lines: list[str], pattern: str, begin: int) -> int:
    for number in range(begin, len(lines)):
        if re.search(pattern, lines[number]):
            return number
    raise LookupError(f"no line matches {pattern!r}")


class _Shown(SphinxDirective):
    """A text with what it is called above it."""

    required_arguments = 1
    option_spec = {  # noqa: RUF012  (docutils reads a plain class attribute)
        "from": directives.unchanged,
        "to": directives.unchanged,
        "caption": directives.unchanged,
        "lines": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        text, caption, language = self.text()
        try:
            text = excerpt(text, self.options.get("from"), self.options.get("to"))
        except LookupError as error:
            raise self.error(f"{' '.join(self.arguments)}: {error}") from error
        block = nodes.literal_block(text, text, language=language, linenos="lines" in self.options)
        title = self.options.get("caption", caption)
        if not title:
            return [block]
        label = nodes.caption(title, "", nodes.literal(title, title) if title == caption else nodes.Text(title))
        return [nodes.container("", label, block, literal_block=True, classes=["literal-block-wrapper"])]

    def text(self) -> tuple[str, str, str]:
        """The text, what it is called, its language."""
        raise NotImplementedError


class ExhibitProgram(_Shown):
    """The program itself."""

    def text(self) -> tuple[str, str, str]:
        (name,) = self.arguments
        self.env.note_dependency(str(PROGRAMS / f"{name}.py"))
        return (PROGRAMS / f"{name}.py").read_text("utf-8"), f"{name}.py", "python"


class ExhibitOutput(_Shown):
    """What the program printed."""

    def text(self) -> tuple[str, str, str]:
        folder = result(self.arguments[0])
        return portable((folder / "output").read_text("utf-8"), folder), "", "text"


class ExhibitFile(_Shown):
    """A file that the program wrote; its name may be a pattern that one file matches."""

    required_arguments = 2

    def text(self) -> tuple[str, str, str]:
        name, pattern = self.arguments
        folder = result(name)
        found = sorted(folder.glob(pattern))
        if not found:
            raise self.error(f"exhibit {name} wrote no {pattern}: {sorted(p.name for p in folder.rglob('*.*'))}")
        text = portable(found[0].read_text("utf-8"), folder)
        return text, found[0].name, LANGUAGES.get(found[0].suffix, "text")


class Fact(SphinxRole):
    """A value from the exhibit's ``facts.json``."""

    def run(self) -> tuple[list[nodes.Node], list[Any]]:
        name, key = self.text.split()
        facts = json.loads((result(name) / "facts.json").read_text("utf-8"))
        return [nodes.Text(str(facts[key]))], []


def setup(app: Sphinx) -> dict[str, bool]:
    """Sphinx calls this."""
    app.add_directive("exhibit", ExhibitProgram)
    app.add_directive("exhibit-output", ExhibitOutput)
    app.add_directive("exhibit-file", ExhibitFile)
    app.add_role("fact", Fact())
    app.connect("builder-inited", run_all)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
