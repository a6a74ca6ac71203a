"""AOTAutograd's graphs in torch 2.2 to 2.8 at least: interpreted, node by node, so that no line of them runs.

    run(args)  ── Interpreter(fx_g).boxed_run(args)      =>      run(args)  ── fx_g.forward(...), from its file

That a graph computes what its ``forward`` says is FX's own promise; that ``forward`` is what the file shows was
compared. Only the words that the interpreter adds to exceptions are missing.
"""

from __future__ import annotations
import __future__

from types import CodeType, FunctionType
from typing import Any

from depyf.decompiler.verify.exact import identical

# torch._dynamo.backends.debugging.boxed_nop (TORCHVERSIONS: 2.2 to 2.8; 2.13 has another).
_INTERPRETING = """
def boxed_nop(fx_g):
    def run(args):
        return torch.fx.Interpreter(fx_g).boxed_run(args)
"""


def interpreted_graph(function: FunctionType) -> Any | None:
    """The graph that ``function`` interprets, None when it does something else."""
    code = function.__code__
    code = code.replace(
        co_flags=code.co_flags & ~__future__.annotations.compiler_flag
    )  # says nothing about what it does
    if code.co_name != "run" or code.co_freevars != ("fx_g",) or not identical(code, _interpreting()):
        return None
    (cell,) = function.__closure__ or ()
    return cell.cell_contents


def calling_forward(fx_g: Any) -> FunctionType:
    """A function like torch's, whose code calls ``forward``; it empties the list of its arguments, too."""

    def run(args: list[Any]) -> Any:
        taken = args[:]
        args.clear()
        return fx_g.forward(*taken)

    assert isinstance(run, FunctionType)
    return run


def _interpreting() -> CodeType:
    module = compile(_INTERPRETING, __file__, "exec", dont_inherit=True)
    outer = next(each for each in module.co_consts if isinstance(each, CodeType))
    return next(each for each in outer.co_consts if isinstance(each, CodeType))
