"""Mutants of printed source and of bytecode: what is accepted must leave the same record when CPython runs it.

python tests/symbolic/test_mutants.py [mutants per kind] [seed]     runs more of them
"""

import ast
import copy
import random
import sys
import warnings
from collections import Counter
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[2] / folder) for folder in ("src", "tools", "tests/symbolic")]

import pytest
from harvested import CORPUS
from mutations import BYTECODE, SOURCE
from tracing import difference

from depyf.decompiler.emit import emit
from depyf.decompiler.lift.dataflow.driver import decompile_dataflow
from depyf.decompiler.recompile import recompile
from depyf.decompiler.refusals import DecompilationError
from depyf.decompiler.verify.symbolic import verify_symbolic
from depyf.decompiler.verify.verdict import Certificate

REJECTED, REFUSED, HARMLESS, WRONG = "rejected", "refused", "harmless", "wrong"


def source_mutant(proved, kind, chance):
    """The code object of a mutant of printed source, or None where there is no site or it does not compile."""
    tree = ast.fix_missing_locations(ast.Module([copy.deepcopy(proved.tree)], []))
    sites = list(SOURCE[kind](tree))
    if not sites:
        return None
    what = chance.choice(sites)()
    try:
        return recompile(emit(ast.fix_missing_locations(tree)), proved.code, proved.stand_ins), what
    except (DecompilationError, SyntaxError, ValueError):
        return None


def bytecode_mutant(proved, kind, chance):
    """A mutant of recompiled code, or None."""
    return BYTECODE[kind](proved.code, chance)


def judge(original, mutant):
    """What the verifier says; if it accepts, what running both says."""
    try:
        verdict = verify_symbolic(original, mutant)
    except DecompilationError:
        return REFUSED, None
    if not isinstance(verdict, Certificate):
        return REJECTED, None
    found = difference(original, mutant)
    return (HARMLESS, None) if found is None else (WRONG, found)


def campaign(make, kinds, per_kind, seed):
    """Outcomes by kind, and the mutants that were accepted though they leave another record."""
    chance = random.Random(seed)
    outcomes, wrong = {kind: Counter() for kind in kinds}, []
    order = list(range(len(CORPUS)))
    for kind in kinds:
        chance.shuffle(order)
        for number in order[: 12 * per_kind]:
            if sum(outcomes[kind].values()) >= per_kind:
                break
            program, code = CORPUS[number]
            made = make(decompile_dataflow(code), kind, chance)
            if made is None:
                continue
            outcome, found = judge(code, made[0])
            outcomes[kind][outcome] += 1
            if outcome == WRONG:
                wrong.append((kind, number, program, made[1], found))
    return outcomes, wrong


needs_corpus = pytest.mark.skipif(not CORPUS, reason="nothing was harvested on this Python")


@needs_corpus
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("make", "kinds"), [(source_mutant, SOURCE), (bytecode_mutant, BYTECODE)], ids=["source", "bytecode"]
)
def test_no_mutant_with_another_record_is_accepted(make, kinds):
    outcomes, wrong = campaign(make, sorted(kinds), 6, seed=1)
    assert wrong == []
    # Most locals are temporaries, whose names mean nothing; "parameter name" is among the changes of source.
    outcomes.pop("local", None)
    total = sum(outcomes.values(), Counter())
    assert total[REJECTED] > 5 * total[HARMLESS]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    per_kind, seed = [*map(int, sys.argv[1:]), 20, 1][:2] if len(sys.argv) > 2 else (int([*sys.argv, 20][1]), 1)
    for make, kinds in ((source_mutant, SOURCE), (bytecode_mutant, BYTECODE)):
        outcomes, wrong = campaign(make, sorted(kinds), per_kind, seed)
        for kind, counts in outcomes.items():
            print(f"{kind:30} {dict(counts)}")
        print(make.__name__, dict(sum(outcomes.values(), Counter())))
        for item in wrong:
            print("WRONG", *item)
