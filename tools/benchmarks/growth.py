"""How the time of decompiling and verifying grows with the length of a program."""

from __future__ import annotations

import time
from typing import Dict, List, NamedTuple, Optional, Sequence

from benchmarks.programs import FAMILIES
from depyf.decompiler import DecompilationError, decompile_code

LENGTHS = (8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
# A row ends where one measurement takes longer, in seconds.
PATIENCE = 5.0
# Ratios of times below this, in seconds, say more about the clock than about growth.
NOTICEABLE = 0.005


class Cell(NamedTuple):
    """One program: ``seconds`` is the best of several runs, None where ``failure`` says what happened instead."""

    length: int
    seconds: Optional[float]
    failure: str = ""


class Row(NamedTuple):
    """One family of programs by length."""

    family: str
    cells: Sequence[Cell]

    def per_doubling(self) -> List[float]:
        """By which factor the time grew from each length to the next, twice as long."""
        times = [cell.seconds for cell in self.cells if cell.seconds is not None]
        return [later / earlier for earlier, later in zip(times, times[1:]) if earlier > NOTICEABLE]


def measured(family: str, lengths: Sequence[int] = LENGTHS) -> Row:
    """Time one family; the row ends where Python does not compile the program or patience does not last."""
    cells: List[Cell] = []
    for length in lengths:
        cell = _cell(family, length)
        if cell is not None:
            cells.append(cell)
        if cell is None or cell.seconds is None or cell.seconds > PATIENCE:
            break
    return Row(family, cells)


def _cell(family: str, length: int) -> Optional[Cell]:
    try:
        code = compile(FAMILIES[family](length), "growth.py", "exec")
    except (SyntaxError, RecursionError, MemoryError):
        return None
    best = PATIENCE * 1000
    spent = 0.0
    while spent < min(0.3, 3 * best):
        start = time.process_time()
        try:
            decompile_code(code)
        except DecompilationError as error:
            return Cell(length, None, str(error))
        except RecursionError as error:
            return Cell(length, None, f"RecursionError: {error}")
        seconds = time.process_time() - start
        spent += seconds
        best = min(best, seconds)
    return Cell(length, best)


def head(lengths: Sequence[int]) -> str:
    """The line above the numbers."""
    return f"{'milliseconds at length':24}" + "".join(f"{length:>9}" for length in lengths) + "   last x2   worst x2"


def line(row: Row, lengths: Sequence[int]) -> str:
    """Milliseconds by length, and the factors of the longest and of the worst doubling."""
    texts = [f"{1000 * cell.seconds:9.1f}" if cell.seconds is not None else f"{'refused':>9}" for cell in row.cells]
    texts += [" " * 9] * (len(lengths) - len(texts))
    ratios = row.per_doubling()
    return f"{row.family:24}" + "".join(texts) + (f"{ratios[-1]:10.2f}{max(ratios):11.2f}" if ratios else "")


def refused(rows: Sequence[Row]) -> str:
    """Why rows ended with a refusal."""
    failures = [(row.family, cell) for row in rows for cell in row.cells if cell.failure]
    return "\n".join(f"  {family}, {cell.length}: {cell.failure[:150]}" for family, cell in failures)


def as_json(rows: Sequence[Row]) -> Dict[str, object]:
    """The same numbers, in seconds by length."""
    return {row.family: {cell.length: cell.seconds for cell in row.cells} for row in rows}
