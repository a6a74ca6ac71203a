"""What is known so far about one compilation, and about the function that it compiles."""

from __future__ import annotations

import ast
import inspect
import linecache
import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from inspect import CO_VARARGS, CO_VARKEYWORDS
from keyword import iskeyword
from tokenize import TokenError
from types import CodeType
from typing import Any, Mapping

from depyf.capture import events
from depyf.capture.guard_code import Identities
from depyf.capture.guards import raw_text
from depyf.capture.module_paths import Roots
from depyf.record.names import RESUME_NAME, is_graph_name
from depyf.record.schema import Break, Entry, Kernel, Stage, Symbol

# TORCHVERSIONS: the second form is 2.2's
RESUME_CODE = re.compile(r"torch_dynamo_resume_in_(.*)_at_\d+\Z|resume_in_(.*)\Z")

# Torch's metrics -> (what is measured, in units of seconds)
_TIMES: dict[str, tuple[str, float]] = {
    "entire_frame_compile_time_s": ("compile", 1.0),
    "backend_compile_time_s": ("backend", 1.0),
    "inductor_compile_time_s": ("inductor", 1.0),
    "pre_grad_pass_time_us": ("pre grad passes", 1e-6),
    "joint_graph_pass_time_us": ("joint passes", 1e-6),
    "post_grad_pass_time_us": ("post grad passes", 1e-6),
    "code_gen_time_s": ("code generation", 1.0),
    "triton_compile_time_us": ("kernels", 1e-6),
    "backward_cumulative_compile_time_us": ("backward", 1e-6),
    "guard_latency_us": ("guards", 1e-6),
}
# Exceptions with which Dynamo gives a frame up, and lets it run as written unless fullgraph=True.
_GIVEN_UP = ("Unsupported", "SkipFrame", "SkipCodeRecursiveException", "TorchRuntimeError")


@dataclass
class Function:
    """A code object that Dynamo compiled, and its compilations in order."""

    number: int
    name: str
    file: str
    line: int
    code: CodeType | None = None
    stands_for: str | None = None
    continues: Function | None = None
    compilations: list[Compilation] = field(default_factory=list)
    full_code_file: str | None = None
    guards_file: str | None = None
    source: str | None = None

    @property
    def root(self) -> Function:
        """The function as the user wrote it."""
        each = self
        while each.continues is not None:
            each = each.continues
        return each

    @property
    def shown(self) -> str:
        """The name for readers and files."""
        return self.stands_for.rpartition(".")[2] if self.stands_for else self.name

    @property
    def qualname(self) -> str:
        """With its class, from Python (3.11 and newer) or from the source file; of what a wrapper stands for."""
        return self.stands_for or str(
            getattr(self.code, "co_qualname", None) or qualname_at(self.file, self.line, self.name)
        )

    @property
    def arguments(self) -> str | None:
        """As in :class:`depyf.record.schema.Frame`."""
        return None if self.code is None else _arguments(self.code)


@dataclass
class Compilation:
    """Filled by the hook and the trace; ``entry`` is its latest record.

    ``transformed`` is Dynamo's code until it is written: torch cleans up after it when it dies, so it must be free to.
    ``installed`` is what runs in its place, until torch has it. ``modules`` are those of the frame's variables.
    """

    compile_id: str
    started: bool = False
    ended: bool = False
    earlier: bool = False
    attempt: int = 0
    function: Function | None = None
    transformed: CodeType | None = None
    installed: CodeType | None = None
    modules: Roots = field(default_factory=dict)
    called: tuple[str, ...] | None = None
    resume_constants: tuple[CodeType, ...] = ()
    pending: list[events.Event] = field(default_factory=list)
    guard_tree: str | None = None
    identities: Identities = field(default_factory=Identities)
    metrics: Mapping[str, Any] = field(default_factory=dict)
    backward_metrics: Mapping[str, Any] = field(default_factory=dict)
    recompile_reasons: tuple[str, ...] = ()
    breaks: list[Break] = field(default_factory=list)
    symbols: dict[str, Symbol] = field(default_factory=dict)
    side_effects: tuple[str, ...] = ()
    resumes: dict[str, Function | None] = field(default_factory=dict)
    graph_file_name: str | None = None
    graph_code: str | None = None
    stages: list[Stage] = field(default_factory=list)
    caches: list[str] = field(default_factory=list)
    kernels: list[Kernel] = field(default_factory=list)
    places: dict[str, str] = field(default_factory=dict)
    lowered: tuple[str, ...] = ()
    transformed_file: str | None = None
    entry: Entry | None = None
    changed: bool = False

    @cached_property
    def guard_text(self) -> str:
        """The guard tree as it is written to a file."""
        return raw_text(self.guard_tree or "")

    @property
    def graph_names(self) -> list[str]:
        """The graphs that the transformed code calls."""
        return [name for name in self.called or () if is_graph_name(name)]

    @property
    def outcome(self) -> str:
        """As in :class:`depyf.record.schema.Entry`."""
        reason = str(self.metrics.get("fail_reason") or "")
        if self.called is not None and not reason:
            return "compiled"
        if "recompile limit exceeded" in reason or "cache_size_limit" in reason:
            return "limit"
        gave_up = not reason or self.metrics.get("fail_type") in _GIVEN_UP
        return "skipped" if gave_up else "failed"

    @property
    def times(self) -> dict[str, float]:
        """Seconds by phase. The compilation of a late backward has metrics of its own."""
        found = {**self.backward_metrics, **self.metrics}
        known = {key: float(found[key]) for key in _TIMES if found.get(key) is not None}
        late = self.backward_metrics.get("backward_cumulative_compile_time_us")
        if late is not None:
            known["backward_cumulative_compile_time_us"] = float(late)
        return {_TIMES[key][0]: round(value * _TIMES[key][1], 6) for key, value in known.items()}

    def take_transformed(self, code: CodeType) -> None:
        """Dynamo's final code: the resume functions that it calls become known."""
        self.transformed, self.called = code, code.co_names
        constants = (each for each in code.co_consts if isinstance(each, CodeType))
        # With free variables the transformed code makes resume functions itself (torch before 2.13).
        self.resume_constants = tuple(each for each in constants if RESUME_CODE.match(each.co_name))
        self.resumes = {name: None for name in code.co_names if RESUME_NAME.match(name)}
        self.resumes.update((each.co_name, None) for each in self.resume_constants)


def _arguments(code: CodeType) -> str | None:
    names = list(code.co_varnames)
    first, only = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    parts = names[:first]
    if code.co_posonlyargcount:
        parts.insert(code.co_posonlyargcount, "/")
    keywords = [*names[first:only], *code.co_freevars]
    if code.co_flags & CO_VARARGS:
        parts.append(f"*{names[only]}")
        only += 1
    elif keywords:
        parts.append("*")
    parts += keywords
    if code.co_flags & CO_VARKEYWORDS:
        parts.append(f"**{names[only]}")
    named = [*names[:first], *keywords]
    return ", ".join(parts) if all(each.isidentifier() and not iskeyword(each) for each in named) else None


def origin_of(name: str) -> str | None:
    """The function that a resume function's code is named after, None for other names."""
    found = RESUME_CODE.match(name)
    return (found.group(1) or found.group(2)) if found else None


@lru_cache(maxsize=256)
def qualname_at(file: str, line: int, name: str) -> str:
    """The function that begins in a line of a file, with the classes and functions around it."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError, RecursionError):
        return name
    around: list[ast.AST] = [
        node
        for node in ast.walk(tree)
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and _begins(node) <= line
    ]
    around = [node for node in around if line <= (getattr(node, "end_lineno", None) or 0)]
    names = [getattr(node, "name", "") + ("" if isinstance(node, ast.ClassDef) else ".<locals>") for node in around]
    found = ".".join(names)
    return found[: -len(".<locals>")] if around and getattr(around[-1], "name", "") == name else name


def _begins(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Its first line, decorators included, as ``co_firstlineno`` has it."""
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def source_at(file: str, line: int) -> str | None:
    """The source of the function that begins in a line of a file, None when there is none."""
    lines = linecache.getlines(file)[max(line - 1, 0) :]
    try:
        return "".join(inspect.getblock(lines)) or None
    except (SyntaxError, IndexError, TokenError):
        return None


def source_of(code: CodeType) -> str | None:
    """The function's source as its file has it now, None when there is none."""
    try:
        return inspect.getsource(code)
    except (OSError, TypeError, IndexError, SyntaxError):
        return None
