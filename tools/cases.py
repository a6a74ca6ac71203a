"""Cases of ``tests/cases/``: one construct in one readable file, and what is promised for it on every Python.

    # since: 3.10                       Pythons that have the construct; also "# until: 3.9"
    # refused 3.8 3.9: CONTROL_FLOW     a known limit, on the Pythons named (on all without names)
    def f(n): ...
    # run
    f(0); f(5)                          lines that the original and the decompiled module run alike
    # expect 3.10 3.11                  what is printed where it does not read as written (on all without names)
    def f(n): ...

``check`` says what is broken; ``updated`` is the file with its expectations as the decompiler prints them today.
"""

from __future__ import annotations

import ast
import contextlib
import io
import re
import sys
import warnings
from pathlib import Path
from types import CodeType
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

from normalisations import reads_as

from depyf.decompiler import DecompilationError, decompile_code
from depyf.decompiler.refusals import Refused

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "cases"
PYTHON = sys.version_info[:2]
NAME = "{}.{}".format(*PYTHON)
ADDRESS = re.compile(r"0x[0-9a-fA-F]+")

Pythons = Tuple[str, ...]


class BrokenPromise(AssertionError):
    """A case does not hold."""


class Case(NamedTuple):
    """One file; ``refused`` and ``expected`` map the Pythons they are for (none: all) to a refusal and to a text."""

    path: Path
    source: str
    since: Tuple[int, ...]
    until: Tuple[int, ...]
    refused: Dict[Pythons, str]
    runs: Tuple[str, ...]
    expected: Dict[Pythons, str]

    @property
    def is_for_this_python(self) -> bool:
        """Whether the running Python has the construct."""
        return self.since <= PYTHON <= self.until

    def refusal(self) -> Optional[str]:
        """The refusal that is expected on the running Python."""
        return _for_this_python(self.refused)

    def expectation(self) -> Optional[str]:
        """The text that is expected on the running Python, None where the case reads as written."""
        return _for_this_python(self.expected)


def _for_this_python(by_python: Dict[Pythons, str]) -> Optional[str]:
    found = [text for pythons, text in by_python.items() if NAME in pythons]
    return found[0] if found else by_python.get(())


HEADER = re.compile(r"# (since|until|refused)((?: 3\.\d+)*): (.+)$")
SECTION = re.compile(r"# (run|expect)((?: 3\.\d+)*)$")


def read(path: Path) -> Case:
    """The case in a file.

    Raises ValueError for a header or a section that says nothing.
    """
    bounds = {"since": (3, 0), "until": (3, 99)}
    refused: Dict[Pythons, str] = {}
    sections: List[Tuple[str, Pythons, List[str]]] = [("source", (), [])]
    for line in path.read_text("utf-8").splitlines():
        header, section = HEADER.match(line), SECTION.match(line)
        if header and header[1] == "refused":
            refused[tuple(header[2].split())] = header[3]
        elif header:
            bounds[header[1]] = tuple(map(int, header[3].split(".")))  # type: ignore[assignment]
        elif section:
            sections.append((section[1], tuple(section[2].split()), []))
        else:
            sections[-1][2].append(line)
    texts = [(kind, pythons, "\n".join(lines).strip("\n") + "\n") for kind, pythons, lines in sections]
    runs = [line for kind, _, text in texts if kind == "run" for line in text.splitlines() if line.strip()]
    expected = {pythons: text for kind, pythons, text in texts if kind == "expect"}
    return Case(path, texts[0][2], bounds["since"], bounds["until"], refused, tuple(runs), expected)


def all_cases(words: str = "") -> List[Case]:
    """The cases whose path contains ``words``."""
    paths = sorted(FOLDER.rglob("*.py"))
    return [read(path) for path in paths if words in path.relative_to(FOLDER).as_posix()]


def codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and those nested in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


def compiled(source: str, name: str) -> CodeType:
    """The code object of a module, without warnings about it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compile(source, name, "exec", dont_inherit=True)


def check(case: Case) -> None:
    """Raise :class:`BrokenPromise` unless everything that the case promises holds on the running Python."""
    refusal = case.refusal()
    if refusal is not None:
        check_refused(case, refusal)
        return
    printed = verified(case)
    for line in case.runs:
        check_behaviour(case, printed, line)
    check_reading(case, printed)


def check_refused(case: Case, refusal: str) -> None:
    """The limit is still there, and has this name."""
    try:
        verified(case)
    except BrokenPromise as failure:
        names = {error.refusal.name for error in [failure.__cause__] if isinstance(error, Refused)}
        if refusal not in names:
            raise BrokenPromise(f"{case.path}: refused otherwise than {refusal}: {failure}") from failure
        return
    raise BrokenPromise(f"{case.path}: not refused any more: take out '# refused {NAME}: {refusal}'")


def verified(case: Case) -> str:
    """The decompiled module, once it and every code object in it were decompiled on their own."""
    module = compiled(case.source, case.path.name)
    printed = [_verified(case, code) for code in codes(module)]
    return printed[0]


def _verified(case: Case, code: CodeType) -> str:
    try:
        return decompile_code(code).source
    except DecompilationError as error:
        raise BrokenPromise(f"{case.path}, {code.co_name} (line {code.co_firstlineno}): {error}") from error


def check_behaviour(case: Case, printed: str, line: str) -> None:
    """The original and the printed module do the same when ``line`` is run."""
    written, again = observed(case.source, line), observed(printed, line)
    if written != again:
        raise BrokenPromise(f"{case.path}: {line}\n  before: {written}\n  after:  {again}\n{printed}")


def observed(source: str, line: str) -> List[str]:
    """Results and exceptions of each statement in ``line``, and what was printed by it and by the module."""
    seen: List[str] = []
    namespace: Dict[str, object] = {"__name__": "case"}
    output = io.StringIO()
    with contextlib.redirect_stdout(output), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compiled(source, "case.py"), namespace)
            for part in ast.parse(line).body:
                seen.append(_result(part, namespace))
        except Exception as error:
            seen.append(_exception(error))
    return [ADDRESS.sub("0x", text) for text in (*seen, output.getvalue())]


def _result(part: ast.stmt, namespace: Dict[str, object]) -> str:
    try:
        if isinstance(part, ast.Expr):
            return repr(eval(compile(ast.Expression(part.value), "run", "eval"), namespace))
        exec(compile(ast.Module([part], []), "run", "exec"), namespace)
    except Exception as error:
        return _exception(error)
    return ""


def _exception(error: BaseException) -> str:
    """Type, arguments, and what it was raised from or while handling."""
    inner = [_exception(other) for other in (error.__cause__, error.__context__) if other is not None]
    return f"{type(error).__name__}{error.args!r}{inner or ''}{getattr(error, 'exceptions', '')}"


def check_reading(case: Case, printed: str) -> None:
    """The printed module is what is expected, or reads as it was written."""
    expected = case.expectation()
    difference = reads_as(case.source, printed)
    if expected is None and difference is not None:
        raise BrokenPromise(f"{case.path}: reads otherwise: {difference}\n{printed}")
    if expected is not None and difference is None:
        raise BrokenPromise(f"{case.path}: reads as written: take out '# expect {NAME}'")
    if expected is not None and printed != expected:
        raise BrokenPromise(f"{case.path}: expected\n{expected}but printed\n{printed}")


def updated(case: Case) -> str:
    """The text of a case's file with what the running Python prints as its expectation."""
    text = _without_expectations(case.path.read_text("utf-8"))
    expected: Dict[str, Pythons] = {}
    for pythons, old in case.expected.items():
        kept = tuple(python for python in pythons if python != NAME)
        if kept:
            expected[old] = kept
    printed = verified(case)
    if reads_as(case.source, printed) is not None:
        expected[printed] = _in_order({*expected.get(printed, ()), NAME})
    parts = [f"# expect {' '.join(pythons)}\n{printed}" for printed, pythons in expected.items()]
    return "".join([text, *parts])


def _in_order(pythons: set[str]) -> Pythons:
    return tuple(sorted(pythons, key=lambda name: tuple(map(int, name.split(".")))))


def _without_expectations(text: str) -> str:
    return text.split("\n# expect", 1)[0].rstrip("\n") + "\n"
