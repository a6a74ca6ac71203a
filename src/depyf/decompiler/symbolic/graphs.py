"""What Dynamo's code gets from a graph: a sequence of which it loads the items.

    out = __compiled_fn_1(x); a = out[0]; b = out[1]          Output(out, 0), Output(out, 1)

The items need no operation (A-OUTPUT).
"""

from __future__ import annotations

from typing import Optional

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.symbolic.state import State
from depyf.decompiler.symbolic.values import Installed, Output, Symbol, Value

# The kind of a symbol that stands for what a graph returned.
OUTPUTS = "outputs"


def is_graph(function: Value) -> bool:
    """Whether a call of ``function`` runs a graph."""
    return type(function) is Installed and str(function.parts[0]).startswith("__compiled_fn_")


def output(state: State, returned: Value, index: Value) -> Optional[Output]:
    """The item ``index`` of what a graph returned; None where it is none, or counted from the end."""
    found = state.resolve(returned)
    if not isinstance(found, Symbol) or found.kind != OUTPUTS or type(index) is not Const:
        return None
    number = index.value
    return Output(found, number) if type(number) is int and number >= 0 else None
