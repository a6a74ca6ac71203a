"""The rules and axioms of symbolic verification, by name; certificates list those that were needed.

A *rule* holds for every program: no program can tell the two sides apart.  An *axiom* is a fact about the objects of
one program (or of Dynamo) that bytecode alone cannot prove.  ``docs/axioms.md`` is this table with its reasons.
"""

from __future__ import annotations

from typing import NamedTuple, Tuple


class Rule(NamedTuple):
    """``says`` what is identified and ``because`` why no program can tell."""

    name: str
    says: str
    because: str


R_LOCAL = Rule(
    "R-LOCAL",
    "Storing, loading and deleting locals and moving stack slots is silent.",
    "A frame's locals and stack belong to it alone; only introspection of the frame reads them, which the "
    "documentation says.",
)
R_FRESH = Rule(
    "R-FRESH",
    "A list, tuple, slice, dict or set built here and never handed out has known contents: indexing, slicing, "
    "extending, appending, item and slice stores and deletes, unpacking and `+=` on it are evaluated. It comes"
    " into being where it is handed out.",
    "Exact builtin types with integers, None or literals as keys run no code of the program, and nobody else "
    "holds a reference.",
)
R_CONSTTUPLE = Rule(
    "R-CONSTTUPLE",
    "A tuple built of constants is the constant tuple.",
    "The compiler folds it, and Python does not promise the identity of constants.",
)
R_CALLEX = Rule(
    "R-CALLEX",
    "CALL_FUNCTION_EX with a known list or tuple and a known dict with string keys is the call with those arguments.",
    "A list is copied before the call. A tuple or dict may be handed over as it is, so nothing else may hold it.",
)
R_CELL = Rule(
    "R-CELL",
    "`(lambda: x).__closure__[0]` is the cell of x.",
    "The function is fresh and exactly a function; `__closure__` is a read-only member that runs no code.",
)
R_FUNCTION = Rule(
    "R-FUNCTION",
    "A function made here comes into being where it is handed out.",
    "MAKE_FUNCTION runs no code, and its code, defaults and closure are known.",
)
R_CONSTSET = Rule(
    "R-CONSTSET",
    "A set of literals, built in one order of insertion, has known contents.",
    "Hashing and comparing literals runs no code; the order of insertion is compared.",
)
R_IS = Rule(
    "R-IS",
    "`is` and `not` of a bool are values that need no operation.",
    "Neither can be overridden and neither can fail.",
)
R_RERAISE = Rule(
    "R-RERAISE",
    "Raising again the exception being handled goes straight to the handler; `raise` without an exception does"
    " the same.",
    "Both restore the exception with its own traceback, add no traceback entry and unwind.",
)
R_HANDLED = Rule(
    "R-HANDLED",
    "PUSH_EXC_INFO and POP_EXCEPT are silent; the exceptions being handled are compared at every operation instead.",
    "They only set what sys.exc_info() and __context__ show to operations.",
)
R_APPEND = Rule(
    "R-APPEND",
    "`s += [x]` on an exact list is LIST_APPEND, and `d[k] = v` on an exact dict is MAP_ADD.",
    "list.__iadd__ with an exact list appends its one item; both dict operations insert through the same function.",
)
R_DISPLAY = Rule(
    "R-DISPLAY",
    "BUILD_MAP of more than 15 pairs inserts them one after another, as `d[k] = v` does.",
    "It calls the same function for each pair, in order, on a dict that nobody else holds yet.",
)
R_PASSED = Rule(
    "R-PASSED",
    "A handler that only moves data and raises again is no handler.",
    "Raising again adds no traceback entry, and what was being handled is restored before the frame is left.",
)
R_ITER = Rule(
    "R-ITER",
    "Calling the builtin function `iter`, a constant, with one argument is GET_ITER.",
    "Both are PyObject_GetIter, and nobody can rebind a constant.",
)
R_UNROLL = Rule(
    "R-UNROLL",
    "A `for` over a tuple built of known items is its body once per item; starting it, its steps and its end are"
    " silent.",
    "Iterating an exact tuple runs no code of the program and cannot fail, and nobody else holds the iterator.",
)
R_ESCAPED = Rule(
    "R-ESCAPED",
    "Where paths meet with different contents of a container, it is treated as handed out on both sides.",
    "Forgetting contents never identifies more: from there on, every operation on it is compared.",
)
A_INSTALLED = Rule(
    "A-INSTALLED",
    "Globals named __compiled_fn_…, __resume_at_… and __import_… load silently.",
    "Dynamo installs them before the code runs, under names used once, and nothing rebinds them while it can run.",
)
A_HELPER = Rule(
    "A-HELPER",
    "Functions of torch._dynamo.utils that generated code calls, and `object.__setattr__` of builtins, load silently,"
    " from the modules that Dynamo imported.",
    "Dynamo's own module defines them once, and nothing rebinds them; nothing can rebind a method of `object`.",
)
A_OUTPUT = Rule(
    "A-OUTPUT",
    "Items of what a graph returned, by a constant index from the front, are values that need no operation.",
    "A graph returns a tuple or a list of all that Dynamo asked it for; Dynamo's code does nothing but load its items, "
    "and nothing else changes it.",
)
A_PATH = Rule(
    "A-PATH",
    "`_modules`, `_parameters`, `_buffers` and `__dict__` of an object, and items of these by name, are what they were"
    " when they were loaded before, as long as nothing happens in between but loads and Dynamo's own reading of sizes.",
    "They are dictionaries that a module keeps in its own `__dict__`; Dynamo guarded them and keeps values of such"
    " paths in variables for the same reason.",
)
A_KWARGS = Rule(
    "A-KWARGS",
    "`f(**d)`, which copies d first, is CALL_FUNCTION_EX of d itself.",
    "d is a dict with strings as keys, and no callee keeps or changes the dict that it is handed.",
)
A_FRAME = Rule(
    "A-FRAME",
    "locals(), vars(), dir(), eval() and exec() are not used to look at this frame's variables.",
    "The variables of printed code have other names and lifetimes; code that names one of these functions might look.",
)
A_ITER = Rule(
    "A-ITER",
    "iter(x) is x, where FOR_ITER runs on x directly.",
    "Only iterators stand below a FOR_ITER, and an iterator's __iter__ returns itself.",
)

RULES: Tuple[Rule, ...] = (
    R_LOCAL, R_FRESH, R_CONSTTUPLE, R_CALLEX, R_CELL, R_FUNCTION, R_CONSTSET, R_IS, R_RERAISE, R_HANDLED, R_APPEND,
    R_DISPLAY, R_PASSED, R_ITER, R_UNROLL, R_ESCAPED,
)  # fmt: skip
AXIOMS: Tuple[Rule, ...] = (A_INSTALLED, A_HELPER, A_OUTPUT, A_PATH, A_KWARGS, A_FRAME, A_ITER)
