"""Mutation test of the verifier: what changes behaviour has to be rejected.

    python tools/mutants.py [--how source|imports|bytecode] [--count N] [--seed S] [--kind K] [PATH ...]

Takes statements of the standard library (functions and classes), changes one thing in their syntax tree or in their
bytecode, and verifies.  With `imports` the original is compiled behind the imports of its module and the mutant without
them, which since 3.11 makes other calls, so that every answer needs a rule.  A mutant that is accepted counts as
harmless only if a comparison that shares no code with the verifier says so:

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

    change: str
    outcome: str
    why: str = ""
    kind: str = ""
    place: str = ""


class Program(NamedTuple):
    """A function or class, and the imports of its module."""

    statement: ast.stmt
    imports: Sequence[ast.stmt]


def programs(path: Path) -> List[Program]:
    """Functions and classes at the top of a module."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return []
    imports = [statement for statement in tree.body if isinstance(statement, ast.Import)]
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return [Program(statement, imports) for statement in tree.body if isinstance(statement, kinds)]


def compiled(*statements: ast.stmt) -> Optional[CodeType]:
    """A module of these statements; None if Python refuses it."""
    module = ast.fix_missing_locations(ast.Module(copy.deepcopy(list(statements)), []))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(module, "mutant.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, TypeError, RecursionError, SystemError):
        return None


def judge(change: str, original: CodeType, mutant: CodeType, plain: Optional[CodeType] = None) -> Mutant:
    """Verify a mutant against its original; ``plain`` is the original in the layout of the mutant."""
    try:
        verdict = verify(original, mutant)
    except DamagedCode:
        return Mutant(change, "refused")
    if not isinstance(verdict, Certificate):
        return Mutant(change, "rejected")
    return Mutant(change, "accepted", harmless(plain or original, mutant))


def source_mutant(program: Program, kind: str, chance: random.Random) -> Optional[Mutant]:
    """A mutant of the module that has only the statement."""
    original = compiled(program.statement)
    changed = _changed(program, kind, chance)
    return None if original is None or changed is None else judge(changed[1], original, changed[0])


def _changed(program: Program, kind: str, chance: random.Random) -> Optional[Tuple[CodeType, str]]:
    """The changed statement as a module, and what was done; None where there is nothing to change."""
    for _attempt in range(3):
        statement = copy.deepcopy(program.statement)
        sites = list(mutations.SOURCE[kind](ast.Module([statement], [])))
        if not sites:
            return None
        change = chance.choice(sites)()
        module = compiled(statement)
        if module is not None:
            return module, change
    return None


def mutant_without_imports(program: Program, kind: str, chance: random.Random) -> Optional[Mutant]:
    """A mutant of the statement's own code, whose original has seen the imports of its module."""
    modules = compiled(*program.imports, program.statement), compiled(program.statement)
    changed = _changed(program, kind, chance)
    if changed is None or modules[0] is None or modules[1] is None:
        return None
    original, plain, mutant = (_last_code(module) for module in (*modules, changed[0]))
    if original is None or plain is None or mutant is None:
        return None
    if not isinstance(verify(original, plain), Certificate):
        return Mutant("none", "equal, rejected")
    return judge(changed[1], original, mutant, plain)


def _last_code(module: Optional[CodeType]) -> Optional[CodeType]:
    found = [constant for constant in module.co_consts if isinstance(constant, CodeType)] if module else []
    return found[-1] if found else None


def nested(code: CodeType) -> Iterator[CodeType]:
    """``code`` and every code object in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested(constant)


def bytecode_mutant(program: Program, kind: str, chance: random.Random) -> Optional[Mutant]:
    """A mutant of one code object in the statement."""
    module = compiled(program.statement)
    if module is None:
        return None
    original = chance.choice(list(nested(module)))
    changed = mutations.BYTECODE[kind](original, chance)
    return None if changed is None else judge(changed[1], original, changed[0])


MAKERS = {"source": source_mutant, "imports": mutant_without_imports, "bytecode": bytecode_mutant}


def mutants(paths: Sequence[Path], count: int, seed: int, how: str, only: Optional[str] = None) -> Iterator[Mutant]:
    """``count`` mutants, the kinds in turn, from random statements of random modules; the same for the same seed."""
    chance = random.Random(seed)
    kinds = [only] if only else list(mutations.BYTECODE if how == "bytecode" else mutations.SOURCE)
    cache: Dict[Path, List[Program]] = {}
    made = tried = 0
    while made < count and tried < 60 * count:
        path = chance.choice(paths)
        if path not in cache:
            cache[path] = programs(path)
        if not cache[path]:
            continue
        kind = kinds[tried % len(kinds)]
        tried += 1
        program = chance.choice(cache[path])
        mutant = MAKERS[how](program, kind, chance)
        if mutant is not None:
            made += 1
            name = getattr(program.statement, "name", "?")
            yield mutant._replace(kind=kind, place=f"{path.name}:{name}")


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
        if label.endswith(("UNEXPLAINED", "equal, rejected")):
            unexplained += 1
            print(f"{label}: {mutant.kind}: {mutant.place}: {mutant.change}")
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
    parser.add_argument("--how", choices=sorted(MAKERS), default="source")
    parser.add_argument("--kind")
    options = parser.parse_args()
    started = time.perf_counter()
    found = list(mutants(modules(options.paths), options.count, options.seed, options.how, options.kind))
    return summarize(found, time.perf_counter() - started)


if __name__ == "__main__":
    sys.exit(main())
