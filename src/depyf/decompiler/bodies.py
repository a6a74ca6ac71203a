"""Statements of code objects, each made with the first of :data:`READINGS` that leads to a proof."""

from __future__ import annotations

import ast
from types import CodeType
from typing import Callable, Dict, List, Optional, TypeVar, Union

from depyf.decompiler.disassemble import Graph
from depyf.decompiler.disassemble.stack import StackError
from depyf.decompiler.pipeline import READINGS, body_of
from depyf.decompiler.refusals import DecompilationError, InternalError, Refused

T = TypeVar("T")


class Bodies:
    """Raw statements by code object.

    Whoever finds that statements are wrong sets ``rejected`` to the code objects that they belong to; ``failure`` is
    set
    when there is no choice left for a code object.
    """

    def __init__(self) -> None:
        self.rejected: List[CodeType] = []
        self.failure: Optional[DecompilationError] = None
        self._choices: Dict[int, int] = {}
        self._least = 0

    def __call__(self, code: Union[CodeType, Graph]) -> List[ast.stmt]:
        """The statements of a code object, or of a comprehension that is inlined in one.

        Raises :class:`DecompilationError` if no choice gives any.
        """
        owner = code.code if isinstance(code, Graph) else code
        failure: Optional[DecompilationError] = None
        for choice in range(self._choice(owner), len(READINGS)):
            try:
                body = fenced(owner, lambda: body_of(code, READINGS[choice]))  # noqa: B023
            except (Refused, InternalError, StackError) as refused:
                failure = failure or refused
            else:
                if owner is code:
                    self._choices[id(code)] = choice
                return body
        assert failure is not None
        self.failure = failure
        raise failure

    def choose_again(self) -> bool:
        """Make the next choice for what was rejected, or for everything when nothing was; False if there is none."""
        found, self.rejected = self.rejected, []
        if not found:
            self._least += 1
        for code in found:
            self._choices[id(code)] = self._choice(code) + 1
        return max([self._least, *(self._choice(code) for code in found)]) < len(READINGS)

    def _choice(self, code: CodeType) -> int:
        return max(self._least, self._choices.get(id(code), 0))


def fenced(code: CodeType, work: Callable[[], T]) -> T:
    """What ``work`` returns; mistakes of the decompiler become errors that say so.

    Raises :class:`DecompilationError`, or RecursionError, for which there is another remedy.
    """
    try:
        return work()
    except (DecompilationError, RecursionError):
        raise
    except Exception as error:
        raise InternalError(code, error) from error
