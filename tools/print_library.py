"""Print every file of a Python library from its syntax tree and check that the text says the same tree.

    python tools/print_library.py                   the standard library of the running Python, its tests included
    python tools/print_library.py --every 20        one file in twenty
    python tools/print_library.py FILE FOLDER …     other files

Exits with 1 when a file comes back changed.
"""

from __future__ import annotations

import argparse
import ast
import sys
import sysconfig
import time
import warnings
from pathlib import Path
from typing import Any, Iterator, List, NamedTuple, Optional

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from depyf.decompiler.emit import EmitError, Source, emit_source


class Outcome(NamedTuple):
    """What came of one file: ``failure`` is None where everything that is promised holds."""

    failure: Optional[str]
    lines: int
    seconds: float


def standard_library() -> Iterator[Path]:
    """Every file of the running Python's library, without what was installed into it."""
    root = Path(sysconfig.get_paths()["stdlib"])
    return (path for path in sorted(root.rglob("*.py")) if "site-packages" not in path.parts)


def parsed(source: bytes) -> Optional[ast.AST]:
    """The tree of a file, or None where it is no file of this Python (libraries keep some for tests)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError):
            return None


def check(tree: ast.AST) -> Outcome:
    """Print a tree and compare what the parser makes of the text."""
    start = time.perf_counter()
    try:
        source = emit_source(tree)
    except EmitError as error:
        return Outcome(f"refused: {error}", 0, time.perf_counter() - start)
    seconds = time.perf_counter() - start
    return Outcome(failure_of(tree, source), source.text.count("\n"), seconds)


def failure_of(tree: ast.AST, source: Source) -> Optional[str]:
    """What a printed text breaks of the printer's promises."""
    again = parsed(source.text.encode("utf-8", "surrogatepass"))
    if again is None:
        return "the text does not parse"
    before, after = comparable(tree), comparable(again)
    if before != after:
        return f"another tree: {first_difference(before, after)}"
    if any(line != line.rstrip() for line in source.text.splitlines()):
        return "white space at the end of a line"
    return wrong_line(tree, again, source)


def comparable(tree: ast.AST) -> str:
    """A dump that leaves out the u of a literal joined with an f-string: it has no place in the f-string."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            for value in node.values:
                if isinstance(value, ast.Constant):
                    value.kind = None
    return ast.dump(tree)


def first_difference(before: str, after: str) -> str:
    """The surroundings of the first place where two dumps differ."""
    at = next((i for i, (x, y) in enumerate(zip(before, after)) if x != y), min(len(before), len(after)))
    return f"{before[max(0, at - 60) : at + 60]!r} became {after[max(0, at - 60) : at + 60]!r}"


def wrong_line(tree: ast.AST, again: ast.AST, source: Source) -> Optional[str]:
    """The first node whose line in the line map is not the line that the parser finds it on."""
    for node, other in zip(ast.walk(tree), ast.walk(again)):
        if isinstance(node, (ast.stmt, ast.ExceptHandler)) and source.line_of(node) != line_in_text(other):
            return f"{type(node).__name__} is on line {line_in_text(other)}, mapped to {source.line_of(node)}"
    return None


def line_in_text(node: Any) -> int:
    """Where the parser found a statement or handler."""
    line: int = node.lineno
    return line


def files_of(arguments: List[Path]) -> List[Path]:
    """The files meant by the command line."""
    if not arguments:
        return list(standard_library())
    return [
        path for argument in arguments for path in (sorted(argument.rglob("*.py")) if argument.is_dir() else [argument])
    ]


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--every", type=int, default=1, metavar="N")
    options = parser.parse_args()
    sys.setrecursionlimit(20_000)
    files = files_of(options.paths)[:: options.every]
    skipped = failed = lines = 0
    seconds = 0.0
    for path in files:
        tree = parsed(path.read_bytes())
        if tree is None:
            skipped += 1
            continue
        outcome = check(tree)
        lines, seconds = lines + outcome.lines, seconds + outcome.seconds
        if outcome.failure:
            failed += 1
            print(f"{path}: {outcome.failure}")
    version = ".".join(map(str, sys.version_info[:3]))
    print(
        f"Python {version}: {len(files) - skipped} files printed, {failed} changed, {skipped} not of this Python; "
        f"{lines} lines in {seconds:.1f} s"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
