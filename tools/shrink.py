"""A smaller program with the same symptom.

    python tools/shrink.py PROGRAM.py [-o SMALLER.py] [--symptom WORDS]

Parts of the syntax tree are left out or replaced by what is in them, as long as some code object of the program still
comes to the same end (see tools/fuzzing/outcomes.py).  Without ``--symptom`` the first failure counts.
"""

from __future__ import annotations

import argparse
import ast
import copy
import sys
import time
from pathlib import Path
from typing import Callable, Iterator, List, Optional, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from fuzzing.outcomes import compiled, outcomes

from depyf.decompiler.emit import EmitError, emit

Predicate = Callable[[str], bool]
SECONDS = 60.0


def symptoms(text: str) -> List[str]:
    """What is wrong with a program, once for each code object; nothing for text that is no program."""
    module = compiled(text)
    return [] if module is None else [found.symptom for found in outcomes(module) if not found.is_proved]


def shrunk(text: str, fails: Predicate, seconds: float = SECONDS) -> str:
    """The smallest text found within ``seconds`` for which ``fails`` still holds.

    Where the layout of ``text`` matters, so that printing its tree makes the symptom go away, only lines are left out.
    """
    until = time.monotonic() + seconds
    text = _fewer_lines(text, fails, until)
    printed = _printed(ast.parse(text))
    if printed is None or not fails(printed):
        return text
    return _smaller_tree(printed, fails, until)


def _fewer_lines(text: str, fails: Predicate, until: float) -> str:
    """Leave out statements, from large to small, without printing anything anew."""
    progress = True
    while progress and time.monotonic() < until:
        progress = False
        for first, last, indent in _spans(text):
            lines = text.splitlines(keepends=True)
            for filler in ([], [f"{' ' * indent}pass\n"]):
                attempt = "".join(lines[: first - 1] + filler + lines[last:])
                if attempt != text and fails(attempt):
                    text, progress = attempt, True
                    break
            if progress:
                break
    return text


def _spans(text: str) -> List[Tuple[int, int, int]]:
    """First line, last line and indentation of every statement, the longest first."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.stmt, ast.excepthandler)):
            decorators = getattr(node, "decorator_list", [])
            first = min([node.lineno, *(one.lineno for one in decorators)])
            found.append((first, node.end_lineno or first, node.col_offset))
    return sorted(found, key=lambda span: span[0] - span[1])


def _smaller_tree(text: str, fails: Predicate, until: float) -> str:
    progress = True
    while progress and time.monotonic() < until:
        progress = False
        for attempt in smaller(text):
            if time.monotonic() > until:
                break
            if len(attempt) < len(text) and fails(attempt):
                text, progress = attempt, True
                break
    return text


def smaller(text: str) -> Iterator[str]:
    """Programs with one change that makes them smaller, those that leave out most first."""
    tree = ast.parse(text)
    for number, _node in enumerate(ast.walk(tree)):
        for change in _CHANGES:
            for attempt in change(tree, number):
                printed = _printed(attempt)
                if printed is not None:
                    yield printed


def _printed(tree: ast.Module) -> Optional[str]:
    try:
        text = emit(tree)
    except (EmitError, ValueError, TypeError, AttributeError):
        return None
    return text if compiled(text) is not None else None


def _node(tree: ast.Module, number: int) -> Tuple[ast.Module, ast.AST]:
    """A copy of the tree, and its node of this number."""
    copied = copy.deepcopy(tree)
    return copied, list(ast.walk(copied))[number]


def _shorter_lists(tree: ast.Module, number: int) -> Iterator[ast.Module]:
    """Leave out statements, operands, clauses, targets, …: all, then halves, then one by one."""
    node = list(ast.walk(tree))[number]
    for name, value in ast.iter_fields(node):
        if not isinstance(value, list) or not value:
            continue
        size = len(value)
        while size:
            for start in range(0, len(value), size):
                copied, same = _node(tree, number)
                kept = getattr(same, name)
                del kept[start : start + size]
                if not kept and name == "body" and not isinstance(node, ast.Module):
                    kept.append(ast.Pass())
                yield copied
            size //= 2


def _unwrapped(tree: ast.Module, number: int) -> Iterator[ast.Module]:
    """Put the statements of a block in the place of what is around it."""
    node = list(ast.walk(tree))[number]
    for name, value in ast.iter_fields(node):
        if not isinstance(value, list):
            continue
        for place, statement in enumerate(value):
            for inner in ("body", "orelse", "finalbody", "handlers", "cases"):
                if isinstance(statement, ast.stmt) and getattr(statement, inner, None):
                    copied, same = _node(tree, number)
                    replaced = getattr(same, name)
                    inside = getattr(replaced[place], inner)
                    if inner in ("handlers", "cases"):
                        inside = [one for clause in inside for one in clause.body]
                    replaced[place : place + 1] = inside
                    yield copied


def _simpler_fields(tree: ast.Module, number: int) -> Iterator[ast.Module]:
    """Leave out what is optional; put a name, or a part of an expression, in the place of the expression."""
    node = list(ast.walk(tree))[number]
    for name, value in ast.iter_fields(node):
        places = range(len(value)) if isinstance(value, list) else [-1]
        for place in places:
            old = value[place] if isinstance(value, list) else value
            if not isinstance(old, ast.expr):
                continue
            for new in _simpler(old):
                copied, same = _node(tree, number)
                if isinstance(value, list):
                    getattr(same, name)[place] = new
                else:
                    setattr(same, name, new)
                yield copied


def _simpler(old: ast.expr) -> Iterator[Optional[ast.expr]]:
    yield None
    if not isinstance(old, (ast.Name, ast.Constant)):
        yield ast.Name("a", getattr(old, "ctx", ast.Load()))
    for child in ast.walk(old):
        if child is not old and isinstance(child, ast.expr) and not isinstance(child, ast.Name):
            yield copy.deepcopy(child)


_CHANGES: Tuple[Callable[[ast.Module, int], Iterator[ast.Module]], ...] = (
    _shorter_lists, _unwrapped, _simpler_fields,
)  # fmt: skip


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("-o", "--output", type=Path, help="write there instead of to the terminal")
    parser.add_argument("--symptom", help="a part of the symptom to keep; by default the first one")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="when to stop (default: %(default)s)")
    options = parser.parse_args()
    text = options.program.read_text("utf-8")
    found = [one for one in symptoms(text) if not options.symptom or options.symptom in one]
    if not found:
        print(f"{options.program}: every code object is verified" if not options.symptom else "no such symptom")
        return 1
    result = shrunk(text, lambda attempt: found[0] in symptoms(attempt), options.seconds)
    print(f"{found[0]}: {len(text)} characters, {len(result)} now", file=sys.stderr)
    if options.output is None:
        print(result, end="")
    else:
        options.output.write_text(result, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
