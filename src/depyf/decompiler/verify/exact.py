"""Identity of two code objects, as far as the interpreter runs them: what stays out is where they come from."""

from __future__ import annotations

from operator import attrgetter
from types import CodeType
from typing import List, Tuple

from depyf.decompiler.disassemble.constants import constant_key

# co_filename, co_firstlineno and the line table say where code comes from; co_stacksize how much memory it asks for.
_COMPARED = (
    "co_code",
    "co_exceptiontable",
    "co_names",
    "co_varnames",
    "co_freevars",
    "co_cellvars",
    "co_flags",
    "co_argcount",
    "co_posonlyargcount",
    "co_kwonlyargcount",
    "co_name",
    "co_qualname",
)
_facts = attrgetter(*(name for name in _COMPARED if hasattr(CodeType, name)))


def identical(original: CodeType, candidate: CodeType) -> bool:
    """Whether two code objects, and those nested in them, have the same instructions, tables and signatures."""
    pending: List[Tuple[CodeType, CodeType]] = [(original, candidate)]
    while pending:
        one, other = pending.pop()
        if _facts(one) != _facts(other) or len(one.co_consts) != len(other.co_consts):
            return False
        for constant, counterpart in zip(one.co_consts, other.co_consts):
            if isinstance(constant, CodeType) and isinstance(counterpart, CodeType):
                pending.append((constant, counterpart))
            elif constant_key(constant) != constant_key(counterpart) or in_order(constant) != in_order(counterpart):
                return False
    return True


# A set of these has the same order in every process; that of strings hangs on their hashes, and on who interned them.
_SAME_HASH_ALWAYS = frozenset([bool, int, float, complex])


def in_order(constant: object) -> Tuple[object, ...]:
    """The items of a frozenset of numbers in the order of iteration, which shows how it was built; else nothing."""
    if not isinstance(constant, frozenset) or not _SAME_HASH_ALWAYS.issuperset(map(type, constant)):
        return ()
    return tuple(constant_key(item) for item in constant)
