"""What becomes of a program: a proof for every code object in it, or what is in the way."""

from __future__ import annotations

import re
import signal
import warnings
from types import CodeType, FrameType
from typing import Iterator, List, NamedTuple, Optional

from depyf.decompiler import DecompilationError, decompile_code
from depyf.decompiler.refusals import InternalError, Refused

SECONDS_PER_CODE = 60.0
HAS_ALARM = hasattr(signal, "setitimer")


class Outcome(NamedTuple):
    """One code object: the level of its proof, or ``refused NAME``, ``failed NAME`` and why."""

    kind: str
    name: str
    why: str = ""

    @property
    def is_proved(self) -> bool:
        """Whether there is a verified answer."""
        return not self.why

    @property
    def symptom(self) -> str:
        """``kind`` and ``why`` without what tells one program from another: to see which failures are the same."""
        return f"{self.kind}: " + _PARTICULAR.sub("_", self.why.split("\n")[0])


# Names, numbers, constants and places.
_PARTICULAR = re.compile(
    r"^.*?decompiler failed: |^(?:<?[\w .]+>?[.:])+ (?=oper|doc|flag|free)|offset \d+|\(<class.*?(?=, found|$)"
    r"|\bfrozenset\(\{.*?\}\)|'[a-z_%]*'|-?\b[0-9.]+\b|(?<=docstring: ).*"
)


class TimeIsUp(BaseException):
    """One code object took too long."""


def compiled(text: str) -> Optional[CodeType]:
    """The module; None where Python refuses it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return compile(text, "program.py", "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return None


def codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and those nested in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


def outcomes(module: CodeType) -> List[Outcome]:
    """What becomes of each code object.  A proof of the module is one of all that is in it."""
    whole = outcome(module)
    if whole.is_proved:
        return [Outcome(whole.kind, code.co_name) for code in codes(module)]
    return [whole, *(outcome(code) for code in codes(module) if code is not module)]


def outcome(code: CodeType) -> Outcome:
    """Decompile one code object within the limit of time."""
    if HAS_ALARM:
        signal.signal(signal.SIGALRM, _time_is_up)
        signal.setitimer(signal.ITIMER_REAL, SECONDS_PER_CODE)
    try:
        return Outcome(decompile_code(code).certificate.level, code.co_name)
    except DecompilationError as error:
        why = error.why if isinstance(error, Refused) else str(error)
        return Outcome(_kind(error), code.co_name, why)
    except TimeIsUp:
        return Outcome("failed TimeIsUp", code.co_name, f"no answer after {SECONDS_PER_CODE} s")
    except Exception as error:
        return Outcome(f"failed {type(error).__name__}", code.co_name, str(error) or "no message")
    finally:
        if HAS_ALARM:
            signal.setitimer(signal.ITIMER_REAL, 0)


def _kind(error: DecompilationError) -> str:
    if isinstance(error, Refused):
        return f"refused {error.refusal.name}"
    # Code that Python itself compiled is not damaged, so any other reason is a mistake of the decompiler.
    return f"failed {'InternalError' if isinstance(error, InternalError) else type(error).__name__}"


def _time_is_up(_signal: int, _frame: Optional[FrameType]) -> None:
    raise TimeIsUp
