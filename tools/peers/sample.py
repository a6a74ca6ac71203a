"""Choose functions of the standard library and compile each one alone: ``sample.py FOLDER EVERY LIBRARY``.

Runs on the Python whose bytecode is wanted.  A function is chosen by a digest of its file and name, so that every
Python and every run has the same ones as far as its library does.  Each becomes a module that contains nothing else:
where a decompiler gives up on one function, its other answers do not suffer.
"""

from __future__ import annotations

import ast
import hashlib
import json
import py_compile
import sys
import warnings
from pathlib import Path
from typing import Iterator, List, Tuple

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def functions(tree: ast.Module) -> Iterator[Tuple[str, ast.AST]]:
    """Functions of a module and methods of its classes, with their qualified names."""
    for node in tree.body:
        if isinstance(node, FUNCTIONS):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{each.name}", each) for each in node.body if isinstance(each, FUNCTIONS))


def chosen(library: Path, every: int) -> Iterator[Tuple[str, str, str]]:
    """Names, function names and sources of one function in ``every``."""
    for path in sorted(library.rglob("*.py")):
        place = path.relative_to(library)
        if {"site-packages", "test", "tests", "idle_test", "lib2to3"} & set(place.parts):
            continue
        try:
            source = path.read_text("utf-8")
            tree = ast.parse(source)
        except (SyntaxError, ValueError):
            continue
        lines = source.split("\n")  # as the parser counts: a form feed ends no line
        for name, node in functions(tree):
            key = f"{place}:{name}"
            if int(hashlib.sha256(key.encode()).hexdigest(), 16) % every == 0:
                yield key, name.split(".")[-1], _alone(lines, node)


def _alone(lines: List[str], node: ast.AST) -> str:
    text = "\n".join([*lines[node.lineno - 1 : node.end_lineno], ""])  # type: ignore[attr-defined]
    return text if not text[0].isspace() else "if True:\n" + text


def main(folder: Path, every: int, library: Path) -> int:
    """Writes ``0000/function.pyc`` and so on, and ``sample.json``: what each is."""
    warnings.simplefilter("ignore")
    rows = []
    for key, name, source in chosen(library, every):
        place = folder / f"{len(rows):04}"
        place.mkdir(parents=True, exist_ok=True)
        written = place / "function.py"
        written.write_text(source, "utf-8")
        try:
            py_compile.compile(str(written), str(place / "function.pyc"), dfile="function.py", doraise=True)
        except py_compile.PyCompileError:
            continue
        rows.append({"place": place.name, "from": key, "name": name})
    (folder / "sample.json").write_text(json.dumps({"python": sys.version.split()[0], "functions": rows}))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])))
