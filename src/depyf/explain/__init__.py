"""What torch.compile made of a function, from the compiled code that torch keeps; and names that programs written for
earlier releases import. New programs use :class:`depyf.prepare_debug`, which sees more."""

from __future__ import annotations

from typing import Any

from depyf.explain.utils import DynamoOptimizationResult


def dump_src(original_code: Any, module: Any = None) -> str:
    """The story of a function as in ``full_code_for_<fn>_<n>.py``, graphs and kernels aside.

    Args:
        original_code: the function, what ``torch.compile`` made of it, or its code object.
        module: accepted for programs written for earlier releases.

    Raises:
        TypeError: there is no Python code behind it.
        ImportError: torch is not installed.
    """
    return DynamoOptimizationResult(original_code).to_src()


def _extract_artifacts(original_code: Any, module: Any = None) -> DynamoOptimizationResult:
    """What :func:`dump_src` prints."""
    return DynamoOptimizationResult(original_code)
