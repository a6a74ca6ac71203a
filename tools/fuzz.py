"""Random programs of every construct of the running Python: each has to come back verified.

    python tools/fuzz.py [--count N] [--seed S] [--jobs N] [--plain] [--run] [--failures FOLDER] [--shrink SECONDS]

Counts code objects by what became of them.  Every symptom is printed once, with the seed of the program; with
``--failures`` the program is written there, and with ``--shrink`` as the smallest program that still has it.
``--plain`` writes large programs of nothing but control flow.  ``--run`` also runs what was decompiled, beside the
original, and compares what both do (tools/fuzzing/running.py).
Exit status 0 if every code object was verified.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Callable, Dict, Iterable, Iterator, List, NamedTuple, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from fuzzing import program
from fuzzing.outcomes import Outcome, compiled, outcomes
from fuzzing.plain import plain_program
from fuzzing.running import difference, may_run
from shrink import shrunk, symptoms

from depyf.cli._progress import progress
from depyf.decompiler import decompile_code

Grammar = Callable[[int], str]


class Found(NamedTuple):
    """What became of the program of one seed; no outcomes where Python refuses the program."""

    seed: int
    outcomes: List[Outcome]


def found_for(seed: int, write: Grammar = program, runs: bool = False) -> Found:
    """Write a program and decompile it; ``runs`` to run both and compare."""
    text = write(seed)
    module = compiled(text)
    ends = [] if module is None else outcomes(module)
    if runs and module is not None and ends[0].is_proved and may_run(text):
        why = difference(module, decompile_code(module).source)
        ends[0] = Outcome("failed Behaviour", "<module>", why) if why else ends[0]
    return Found(seed, ends)


def all_found(seeds: Iterable[int], jobs: int, write: Grammar, runs: bool) -> Iterator[Found]:
    """As :func:`found_for`, for every seed, in order."""
    found = partial(found_for, write=write, runs=runs)
    if jobs <= 1:
        yield from map(found, seeds)
        return
    with multiprocessing.Pool(jobs) as pool:
        yield from pool.imap(found, seeds, chunksize=4)


def by_symptom(found: Iterable[Found]) -> Dict[str, Tuple[int, Outcome, int]]:
    """How often each symptom occurred, an outcome that has it, and the seed of its program."""
    symptoms_found: Dict[str, Tuple[int, Outcome, int]] = {}
    for seed, ends in found:
        for end in ends:
            if not end.is_proved:
                count, first, seed_of_first = symptoms_found.get(end.symptom, (0, end, seed))
                symptoms_found[end.symptom] = (count + 1, first, seed_of_first)
    return symptoms_found


def write_failure(path: Path, text: str, symptom: str, why: str, seconds: float) -> None:
    """A file with the program of a failure, as small as it gets in ``seconds``."""
    if seconds:
        text = shrunk(text, lambda attempt: symptom in symptoms(attempt), seconds)
    path.parent.mkdir(parents=True, exist_ok=True)
    comment = "".join(f"# {line}\n" for line in [symptom, *why.splitlines()])
    path.write_text(comment + text, "utf-8", "surrogatepass")


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=200, help="programs (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the first program (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: %(default)s)")
    parser.add_argument("--plain", action="store_true", help="large programs of nothing but control flow")
    parser.add_argument("--run", action="store_true", help="run the programs, too, and compare what they do")
    parser.add_argument("--failures", type=Path, metavar="FOLDER", help="write a program for each symptom there")
    parser.add_argument(
        "--shrink", type=float, default=0, metavar="SECONDS", help="make each of these programs smaller"
    )
    options = parser.parse_args()
    write = plain_program if options.plain else program
    started = time.perf_counter()
    seeds = range(options.seed, options.seed + options.count)
    found = list(progress(all_found(seeds, options.jobs, write, options.run), options.count))
    counts = Counter(end.kind for one in found for end in one.outcomes)
    refused_by_python = sum(not one.outcomes for one in found)
    total = sum(counts.values())
    failures = sorted(by_symptom(found).items(), key=lambda item: -item[1][0])
    for number, (symptom, (count, end, seed)) in enumerate(failures):
        print(f"{count:5} seed {seed}: {symptom}")
        if options.failures:
            path = options.failures / "py{}{}_{:03}_seed_{}.py".format(*sys.version_info[:2], number, seed)
            write_failure(path, write(seed), symptom, end.why, options.shrink)
    print(
        f"Python {sys.version.split()[0]}: {total} code objects of {options.count - refused_by_python} programs "
        f"(seeds from {options.seed}) in {time.perf_counter() - started:.0f} s: {dict(counts)}"
    )
    return 1 if failures or not total else 0


if __name__ == "__main__":
    sys.exit(main())
