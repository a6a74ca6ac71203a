"""What is known so far about one compilation, and about the function that it compiles."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field
from types import CodeType
from typing import Any, Dict, List, Mapping, Optional, Tuple

from depyf.capture import events
from depyf.record.names import RESUME_NAME, is_graph_name
from depyf.record.schema import Break, Entry, Kernel, Stage

RESUME_CODE = re.compile(r"torch_dynamo_resume_in_|<resume in ")  # TORCHVERSIONS: the second form is 2.2's

_TIMES: Dict[str, str] = {
    "entire_frame_compile_time_s": "compile",
    "backend_compile_time_s": "backend",
    "inductor_compile_time_s": "inductor",
    "code_gen_time_s": "code generation",
}


@dataclass
class Function:
    """A code object that Dynamo compiled, and its compilations in order."""

    number: int
    name: str
    file: str
    line: int
    code: Optional[CodeType] = None
    continues: Optional["Function"] = None
    compilations: List["Compilation"] = field(default_factory=list)
    full_code_file: Optional[str] = None
    guards_file: Optional[str] = None
    source: Optional[str] = None

    @property
    def root(self) -> "Function":
        """The function as the user wrote it."""
        each = self
        while each.continues is not None:
            each = each.continues
        return each

    @property
    def qualname(self) -> str:
        """With its class where Python knows it (3.11 and newer)."""
        return str(getattr(self.code, "co_qualname", self.name))


@dataclass
class Compilation:
    """Filled by the hook and the trace; ``entry`` is its latest record."""

    compile_id: str
    started: bool = False
    ended: bool = False
    attempt: int = 0
    function: Optional[Function] = None
    transformed: Optional[CodeType] = None
    pending: List[events.Event] = field(default_factory=list)
    guard_tree: Optional[str] = None
    metrics: Mapping[str, Any] = field(default_factory=dict)
    recompile_reasons: Tuple[str, ...] = ()
    breaks: List[Break] = field(default_factory=list)
    side_effects: Tuple[str, ...] = ()
    resumes: Dict[str, Optional[Function]] = field(default_factory=dict)
    graph_file_name: Optional[str] = None
    stages: List[Stage] = field(default_factory=list)
    kernels: List[Kernel] = field(default_factory=list)
    transformed_file: Optional[str] = None
    entry: Optional[Entry] = None
    changed: bool = False

    @property
    def graph_names(self) -> List[str]:
        """The graphs that the transformed code calls."""
        names = self.transformed.co_names if self.transformed else ()
        return [name for name in names if is_graph_name(name)]

    @property
    def outcome(self) -> str:
        """As in :class:`depyf.record.schema.Entry`."""
        reason = str(self.metrics.get("fail_reason") or "")
        if self.transformed is not None and not reason:
            return "compiled"
        if "recompile limit exceeded" in reason or "cache_size_limit" in reason:
            return "limit"
        return "failed" if reason else "skipped"

    @property
    def times(self) -> Dict[str, float]:
        """Seconds by phase."""
        return {word: float(self.metrics[key]) for key, word in _TIMES.items() if self.metrics.get(key) is not None}

    def take_transformed(self, code: CodeType) -> None:
        """Dynamo's final code: the resume functions that it calls become known."""
        self.transformed = code
        self.resumes = {name: None for name in code.co_names if RESUME_NAME.match(name)}


def source_of(code: CodeType) -> Optional[str]:
    """The function's source as its file has it now, None when there is none."""
    try:
        return inspect.getsource(code)
    except (OSError, TypeError, IndexError, SyntaxError):
        return None
