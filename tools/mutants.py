"""Mutation test of the verifier: what changes behaviour has to be rejected.

    python tools/mutants.py [--count N] [--seed S] [--bytecode] [--kind K] [PATH ...]

Takes statements of the standard library (functions and classes), changes one thing, compiles both and verifies.  A
mutant that is accepted counts as harmless only if a comparison that shares no code with the verifier says so:

    same code          every field of the code objects is equal but for lines
    same instructions  what `dis` lists of the reachable instructions is equal but for layout
    same walk          on every path from the entry, `dis` lists the same instructions; jumps are left out

Any other accepted mutant is printed and makes the exit status 1.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import sys
import time
import warnings
from collections import Counter
from pathlib import Path
from types import CodeType
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import mutations
from listings import harmless

from depyf.decompiler.refusals import DamagedCode
from depyf.decompiler.verify import Certificate, verify

LIBRARY = Path(os.__file__).parent


class Mutant(NamedTuple):
    """One changed program and what the verifier said; ``why`` is empty unless it was accepted and is harmless."""

    kind: str
    place: str
    change: str
    outcome: str
    why: str = ""


def statements(path: Path) -> Iterator[ast.stmt]:
    """Functions and classes at the top of a module."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return
    for statement in tree.body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield statement


def compiled(statement: ast.stmt) -> Optional[CodeType]:
    """The module that has only ``statement``; None if Python refuses it."""
    module = ast.fix_missing_locations(ast.Module([statement], []))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(module, "mutant.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, TypeError, RecursionError, SystemError):
        return None


def judge(kind: str, place: str, change: str, original: CodeType, mutant: CodeType) -> Mutant:
    """Verify a mutant against its original."""
    try:
        verdict = verify(original, mutant)
    except DamagedCode:
        return Mutant(kind, place, change, "refused")
    if not isinstance(verdict, Certificate):
        return Mutant(kind, place, change, "rejected")
    return Mutant(kind, place, change, "accepted", harmless(original, mutant))


def source_mutants(statement: ast.stmt, kind: str, place: str, chance: random.Random) -> Iterator[Mutant]:
    """One mutant of ``statement`` of the given kind, if there is any that compiles."""
    original = compiled(copy.deepcopy(statement))
    for _attempt in range(3):
        changed = copy.deepcopy(statement)
        sites = list(mutations.SOURCE[kind](ast.Module([changed], [])))
        if original is None or not sites:
            return
        change = chance.choice(sites)()
        mutant = compiled(changed)
        if mutant is not None:
            yield judge(kind, place, change, original, mutant)
            return


def nested(code: CodeType) -> Iterator[CodeType]:
    """``code`` and every code object in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested(constant)


def bytecode_mutants(statement: ast.stmt, kind: str, place: str, chance: random.Random) -> Iterator[Mutant]:
    """One mutant of one code object in ``statement`` of the given kind, if there is any."""
    module = compiled(copy.deepcopy(statement))
    if module is None:
        return
    original = chance.choice(list(nested(module)))
    changed = mutations.BYTECODE[kind](original, chance)
    if changed is not None:
        yield judge(kind, place, changed[1], original, changed[0])


def mutants(paths: Sequence[Path], count: int, seed: int, bytecode: bool, only: Optional[str]) -> Iterator[Mutant]:
    """``count`` mutants, the kinds in turn, from random statements of random modules; the same for the same seed."""
    chance = random.Random(seed)
    make = bytecode_mutants if bytecode else source_mutants
    kinds = [only] if only else list(mutations.BYTECODE if bytecode else mutations.SOURCE)
    cache: Dict[Path, List[ast.stmt]] = {}
    made = tried = 0
    while made < count and tried < 60 * count:
        path = chance.choice(paths)
        if path not in cache:
            cache[path] = list(statements(path))
        if not cache[path]:
            continue
        kind = kinds[tried % len(kinds)]
        tried += 1
        statement = chance.choice(cache[path])
        place = f"{path.name}:{getattr(statement, 'name', '?')}"
        for mutant in make(statement, kind, place, chance):
            made += 1
            yield mutant


def modules(paths: Sequence[str]) -> List[Path]:
    """Python files to take statements from: small ones of the standard library by default."""
    if paths:
        return [Path(path) for path in paths]
    files = [*LIBRARY.glob("*.py"), *LIBRARY.glob("asyncio/*.py"), *LIBRARY.glob("test/test_*.py")]
    return sorted(file for file in files if file.stat().st_size < 150_000)


def summarize(found: Sequence[Mutant], seconds: float) -> int:
    """Print accepted mutants that nothing explains, and counts; returns the exit status."""
    outcomes: Counter[str] = Counter()
    by_kind: Counter[Tuple[str, str]] = Counter()
    unexplained = 0
    for mutant in found:
        label = mutant.outcome if mutant.outcome != "accepted" else f"accepted, {mutant.why or 'UNEXPLAINED'}"
        outcomes[label] += 1
        by_kind[mutant.kind, label] += 1
        if label.endswith("UNEXPLAINED"):
            unexplained += 1
            print(f"accepted: {mutant.kind}: {mutant.place}: {mutant.change}")
    for (kind, label), number in sorted(by_kind.items()):
        if label not in ("rejected", "refused"):
            print(f"    {kind:25} {label}: {number}")
    print(f"Python {sys.version.split()[0]}: {len(found)} mutants in {seconds:.0f} s: {dict(outcomes)}")
    return 1 if unexplained else 0


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bytecode", action="store_true")
    parser.add_argument("--kind")
    options = parser.parse_args()
    started = time.perf_counter()
    found = list(mutants(modules(options.paths), options.count, options.seed, options.bytecode, options.kind))
    return summarize(found, time.perf_counter() - started)


if __name__ == "__main__":
    sys.exit(main())
