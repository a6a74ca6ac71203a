"""Every private torch name that depyf relies on, and what is lost where it is missing.

This is the only file that names torch's insides, and the only importer of torch. A seam that cannot be found is
reported in ``index.md`` in the words of ``without``; nothing else happens.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, ContextManager, Iterator

OLDEST_TORCH = (2, 2)  # TORCHVERSIONS: bytecode hook, CompileContext and cache entries exist from here on


@dataclass(frozen=True)
class Seam:
    """``at`` is ``module:attribute``, ``before`` where older torch has it; ``without`` completes "this torch has no
    <name>: ...". ``watches`` is False for what only a function of the API asks for: nobody else is to import it."""

    name: str
    at: str
    without: str
    before: tuple[str, ...] = ()
    watches: bool = True

    def find(self) -> Any | None:
        """The object, or None when this torch has it not."""
        return next((getattr(module, name) for module, name in self.places()), None)

    def call(self, *arguments: Any) -> Any:
        """Call the object. Raises LookupError when this torch has it not."""
        found = self.find()
        if found is None:
            raise LookupError(f"this torch has no {self.name}: {self.without}")
        return found(*arguments)

    def places(self) -> Iterator[tuple[Any, str]]:
        """Where this torch has it: a module and a name in it."""
        for place in (self.at, *self.before):
            module, _, name = place.partition(":")
            try:
                found = importlib.import_module(module)
            except Exception:  # a module that cannot be imported, for whatever reason, is not there
                continue
            if hasattr(found, name):
                yield found, name


BYTECODE_HOOK = Seam(
    "bytecode hook",
    at="torch._dynamo.convert_frame:register_bytecode_hook",
    without="transformed code is not shown; graphs still are",
)
COMPILE_CONTEXT = Seam(
    "compile context",
    at="torch._guards:CompileContext",
    without="compile ids are unknown, so that graphs cannot be told apart",
)
TRACE_LOG = Seam(
    "structured trace",
    at="torch._logging._internal:trace_log",
    without="graphs, guards, kernels and the reasons of breaks are not shown",
)
TRACE_FUNCTION = Seam(
    "trace function",
    at="torch._logging._internal:trace_structured",
    without="torch renders also the events of its trace that depyf does not read: compiling takes longer",
)
COMPILE_CALLBACKS = Seam(
    "compile callbacks",
    at="torch._dynamo.callback:callback_handler",
    without="what a late backward compilation makes is written at the end only",
)
CACHE_ENTRIES = Seam(
    "cache entries",
    at="torch._dynamo.eval_frame:_debug_get_cache_entry_list",
    without="resume functions are matched to what they continue by their names",
)
SIDE_EFFECTS = Seam(
    "side effects",
    at="torch._dynamo.convert_frame:get_compiled_code_side_effects",
    without="objects that the transformed code changes are not listed",
)
INNERMOST = Seam(
    "innermost function",
    at="torch._dynamo.eval_frame:innermost_fn",
    without="prepare_debug(function, directory) captures every function",
)
COMPILE_LOCK = Seam(
    "compile lock",
    at="torch._dynamo.convert_frame:compile_lock",
    without="entering or leaving a block while another thread compiles may disturb that compilation",
    before=("torch._dynamo.eval_frame:compile_lock",),
)  # TORCHVERSIONS: 2.2
GRAPH_PRINTER = Seam(
    "graph printer",
    at="torch.fx._utils:lazy_format_graph_code",
    without="graphs that a framework prints under a name of its own are not written",
    before=("torch._dynamo.utils:lazy_format_graph_code",),
)  # also where 2.5 and newer import it from
KERNEL_CACHE = Seam(
    "kernel cache",
    at="torch._inductor.codecache:PyCodeCache",
    without="depyf.explain.enable_debugging.patched_load_by_key_path cannot be called",
    watches=False,
)
BYTECODE_LOG = Seam(
    "bytecode log", at="torch._dynamo.convert_frame:bytecode_log", without="install() adds no source to the log"
)
GRAPH_BREAKS = Seam(
    "graph break registry",
    at="torch._dynamo:__file__",
    without="graph breaks whose message does not explain them stay without an explanation",
)
INTERNED = Seam(
    "interned strings",
    at="torch._logging.structured:INTERN_TABLE",
    without="dynamic sizes are shown without the line that made them",
)
IR_LOGS = tuple(
    Seam(
        f"IR {name} fusion",
        at=f"torch._inductor.debug:ir_{short}_fusion_log",
        without="inductor_ir=True does not show how operations were fused",
    )
    for name, short in (("before", "pre"), ("after", "post"))
)
PROVENANCE = Seam(
    "provenance tracking",
    at="torch._inductor.config:trace",
    without="inductor_ir=True does not say which operations and lines each kernel computes",
)
COMPILE = Seam(
    "compilation of a frame",
    at="torch._dynamo.convert_frame:_compile",
    without="compiled modules have the name of torch's wrapper, paths through modules are those that Dynamo writes",
)
MODULE = Seam("modules", at="torch.nn:Module", without="modules are not told from functions")
INPUT_CODES = Seam(
    "compiled codes",
    at="torch._dynamo.convert_frame:input_codes",
    without="functions compiled before the block are not shown",
)
OVERLAPS = Seam(
    "storage overlaps",
    at="torch._C._dynamo.guards:compute_overlapping_tensors",
    without="guards on shared memory cannot be evaluated",
)
SAVED_TENSORS_HOOKS = Seam(
    "saved tensors hooks",
    at="torch._functorch._aot_autograd.utils:top_saved_tensors_hooks",
    without="guards on the hooks on saved tensors cannot be evaluated",
)
HOOKS_INLINED = Seam(
    "inlined hooks",
    at="torch._functorch._aot_autograd.utils:saved_tensors_hooks_are_inlineable",
    without="guards on the hooks on saved tensors cannot be evaluated",
)
NO_TORCH_FUNCTIONS = Seam(
    "torch functions off",
    at="torch._C:DisableTorchFunction",
    without="guards on tensors that override operations may be answered wrongly",
)
_KEYS_WITHOUT = "guards on tensors cannot be evaluated"
DISPATCH_KEYS = (
    Seam("dispatch keys", at="torch._C:_dispatch_keys", without=_KEYS_WITHOUT),
    Seam("dispatch keys included", at="torch._C:_dispatch_tls_local_include_set", without=_KEYS_WITHOUT),
    Seam("dispatch keys excluded", at="torch._C:_dispatch_tls_local_exclude_set", without=_KEYS_WITHOUT),
)
LOAD_PRECOMPILED = Seam(
    "precompiled entries",
    at="torch._C._dynamo.eval_frame:_load_precompile_entry",
    without="debug() does not exchange transformed code; verified code is installed when torch compiles",
)
RESET_PRECOMPILED = Seam(
    "precompiled entries' end",
    at="torch._C._dynamo.eval_frame:_reset_precompile_entries",
    without="debug() does not exchange transformed code; verified code is installed when torch compiles",
)
PRECOMPILED = Seam(
    "list of precompiled entries",
    at="torch._C._dynamo.eval_frame:_debug_get_precompile_entries",
    without="debug() does not notice functions that were loaded from a package, whose code it may replace",
)
BEFORE_RUN = Seam(
    "bytecode debugger callback",
    at="torch._C._dynamo.eval_frame:set_bytecode_debugger_callback",
    without="transformed code compiled inside of debug() may run from the dump directory only in the next block",
)
BEFORE_RUN_NOW = Seam(
    "bytecode debugger callback in use",
    at="torch._C._dynamo.eval_frame:get_bytecode_debugger_callback",
    without="transformed code compiled inside of debug() may run from the dump directory only in the next block",
)
BACKEND_CALLED = Seam(
    "what a call compiles with",
    at="torch._dynamo.eval_frame:_callback_from_stance",
    without="debug() leaves functions alone that were compiled for several backends",
)

SEAMS: tuple[Seam, ...] = (
    BYTECODE_HOOK,
    COMPILE_CONTEXT,
    TRACE_LOG,
    TRACE_FUNCTION,
    COMPILE_CALLBACKS,
    CACHE_ENTRIES,
    SIDE_EFFECTS,
    INNERMOST,
    COMPILE_LOCK,
    GRAPH_PRINTER,
    BYTECODE_LOG,
    KERNEL_CACHE,
    GRAPH_BREAKS,
    INTERNED,
    COMPILE,
    MODULE,
    INPUT_CODES,
    *IR_LOGS,
    PROVENANCE,
    OVERLAPS,
    SAVED_TENSORS_HOOKS,
    HOOKS_INLINED,
    NO_TORCH_FUNCTIONS,
    *DISPATCH_KEYS,
)
# What debug() needs; what a record lacks does not depend on these.
DEBUG_SEAMS: tuple[Seam, ...] = (
    LOAD_PRECOMPILED,
    RESET_PRECOMPILED,
    PRECOMPILED,
    BEFORE_RUN,
    BEFORE_RUN_NOW,
    BACKEND_CALLED,
)


def missing() -> tuple[Seam, ...]:
    """The seams that watching needs and that this torch does not have."""
    return tuple(seam for seam in SEAMS if seam.watches and seam.find() is None)


def torch_version() -> str:
    """The version of the torch in use. Raises ImportError without torch, RuntimeError when it is too old."""
    try:
        version = str(importlib.import_module("torch").__version__)
    except ImportError as error:
        raise ImportError(f"depyf.prepare_debug watches torch.compile and needs torch: {error}") from error
    if _numbers(version) < OLDEST_TORCH:
        oldest = ".".join(map(str, OLDEST_TORCH))
        raise RuntimeError(f"depyf.prepare_debug needs torch {oldest} or newer, this is {version}")
    return version


def _numbers(version: str) -> tuple[int, ...]:
    found = re.match(r"(\d+)\.(\d+)", version)
    return OLDEST_TORCH if found is None else (int(found.group(1)), int(found.group(2)))


def current_compile_id() -> str | None:
    """Torch's id of what this thread compiles now, None when that is nothing."""
    context = COMPILE_CONTEXT.find()
    current = getattr(context.try_get(), "compile_id", None) if context is not None else None
    return None if current is None else str(current)


def while_nobody_compiles() -> ContextManager[Any]:
    """Holds torch's compile lock (reentrant): its list of hooks must not change while another thread runs over it."""
    lock: ContextManager[Any] | None = COMPILE_LOCK.find()
    return nullcontext() if lock is None else lock


def outside_dynamo(function: Any) -> Any:
    """``function`` marked so that Dynamo never compiles it (``torch.compiler.disable``, public)."""
    return importlib.import_module("torch.compiler").disable(function)


def backward_in_this_thread() -> ContextManager[Any]:
    """In the block, backward graphs of every device run in the thread that asks for them (public)."""
    one_thread: ContextManager[Any] = importlib.import_module("torch.autograd").set_multithreading_enabled(False)
    return one_thread


def torch_folders() -> tuple[str, ...]:
    """The folders that torch's own Python files are in, each with a separator at its end."""
    spec = importlib.util.find_spec("torch")
    places = spec.submodule_search_locations if spec is not None else None
    # functorch is installed beside torch, and is a part of it.
    return tuple(
        os.path.join(os.path.dirname(place), name, "") for place in places or () for name in ("torch", "functorch")
    )


def distributed_rank() -> int | None:
    """This process's rank in ``torch.distributed`` when there is more than one, else None."""
    distributed = importlib.import_module("torch.distributed")
    if not distributed.is_available() or not distributed.is_initialized() or distributed.get_world_size() < 2:
        return None
    return int(distributed.get_rank())
