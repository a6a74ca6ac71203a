"""Code object -> source that provably does the same, for CPython 3.8-3.14.  No dependency, no torch."""

from depyf.decompiler.decompile import Decompiled, decompile_code
from depyf.decompiler.refusals import DecompilationError

__all__ = ["DecompilationError", "Decompiled", "decompile_code"]
