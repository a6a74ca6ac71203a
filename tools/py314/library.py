"""How much of a library is verified: ``library.py STEP [FOLDER]``, every STEP-th file of FOLDER or of Python's library.

Every code object is decompiled on its own, from functions to modules; what is not verified is counted by reason.
"""

from __future__ import annotations

import sys
import warnings
import zipfile
from collections import Counter
from pathlib import Path
from types import CodeType
from typing import Dict, Iterator, Tuple

from depyf.decompiler import DecompilationError, decompile_code

ARCHIVE = "/lib/python_stdlib.zip"


def sources(folder: str) -> Iterator[Tuple[str, bytes]]:
    """Names and texts of the library's files, in order."""
    if folder:
        for path in sorted(Path(folder).rglob("*.py")):
            yield str(path), path.read_bytes()
        return
    with zipfile.ZipFile(ARCHIVE) as archive:
        for name in sorted(archive.namelist()):
            if name.endswith(".py"):
                yield name, archive.read(name)


def codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and those nested in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


def outcome(code: CodeType) -> str:
    """The level of the certificate, or the reason why there is none."""
    try:
        return decompile_code(code).certificate.level
    except DecompilationError as error:
        return str(error).split("\n")[0].rpartition("offset ")[2].lstrip("0123456789: ")
    except Exception as error:
        return f"{type(error).__name__}: {error}".split("\n")[0]


def main(step: str = "1", folder: str = "") -> None:
    """Print the share of verified code objects and what is in the way of the others."""
    warnings.simplefilter("ignore")
    found: Counter[str] = Counter()
    example: Dict[str, str] = {}
    for name, source in list(sources(folder))[:: int(step)]:
        try:
            module = compile(source, name, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            continue
        for code in codes(module):
            result = outcome(code)
            found[result] += 1
            example.setdefault(result, f"{name}:{code.co_firstlineno}:{code.co_name}")
    verified = found.pop("exact", 0) + found.pop("bisimilar", 0)
    total = verified + sum(found.values())
    print(
        f"Python {sys.version.split()[0]}: {verified} of {total} code objects verified ({verified / max(total, 1):.2%})"
    )
    for reason, count in found.most_common():
        print(f"{count:5} {reason[:150]} [{example[reason]}]")


if __name__ == "__main__":
    main(*sys.argv[1:])
