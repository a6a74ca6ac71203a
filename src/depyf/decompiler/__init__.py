"""Code object -> source that provably does the same, for CPython 3.8-3.14.  No dependency, no torch."""

from depyf.decompiler.compatibility import Decompiler
from depyf.decompiler.decompile import Decompiled, decompile_code
from depyf.decompiler.refusals import DecompilationError
from depyf.decompiler.targets import decompile

__all__ = ["DecompilationError", "Decompiled", "Decompiler", "decompile", "decompile_code"]
