"""What was captured -> records -> files. Only what changed is written again."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Any, Dict, List, Optional, Sequence, Tuple

from depyf.capture import events
from depyf.capture.compilation import Compilation, Function
from depyf.capture.decompiled import listing, show
from depyf.capture.events import Event
from depyf.capture.fence import Fence
from depyf.capture.guards import guards_from_tree, raw_text
from depyf.record.directory import INDEX, RECORD, Directory
from depyf.record.full_code import full_code, proved, renamed
from depyf.record.index import index
from depyf.record.names import Numbers, safe_name, without_addresses, without_uuid
from depyf.record.schema import Entry, Frame, Graph, Kernel, Resume, Session, Stage, to_json
from depyf.record.stages import stage_text
from depyf.record.text import comment, docstring

_NODES = re.compile(r"# Topologically Sorted Source Nodes: \[(.*?)\]")


class Writer:
    """Turns compilations into records and files inside one directory."""

    def __init__(self, directory: Directory, session: Session, fence: Fence, log_bytecode: bool) -> None:
        self._directory = directory
        self._session = session
        self._fence = fence
        self._log_bytecode = log_bytecode
        self._numbers = Numbers()

    def settle(self, functions: Sequence[Function]) -> None:
        """Write what changed in ``functions`` and bring the record up to date."""
        changed = [function for function in functions if any(each.changed for each in function.compilations)]
        if not changed:
            return
        for function in changed:
            for compilation in function.compilations:
                if compilation.changed:
                    self._fence.attempt(f"writing [{compilation.compile_id}]", lambda c=compilation: self._compilation(c), None)
        self._session = self._with(tuple(self._frame(function) for function in functions))
        roots = list(dict.fromkeys(id(function.root) for function in changed))
        for function in functions:
            if id(function.root) in roots and function.root is function:
                self._fence.attempt(f"writing {function.name}", lambda f=function: self._full_code(f, functions), None)
        self._session = self._with(tuple(self._frame(function) for function in functions))
        self._record()

    def start(self) -> None:
        """An empty record: whoever looks into the directory sees that a run is on."""
        self._record()

    def close(self) -> None:
        """The record of a session that ended in order."""
        import time

        lost = self._fence.attempt("looking for removed files", self._directory.forget_lost_files, [])
        if lost:
            self._fence.note("keeping files", FileNotFoundError(f"{len(lost)} written files were removed meanwhile"))
        self._session = self._with(self._session.frames, finished=time.time())
        self._record()

    def graphs(self, compilation: Compilation, name: str) -> None:
        """Write the graphs and kernels that arrived for ``compilation`` since the last time."""
        pending, compilation.pending = compilation.pending, []
        for event in pending:
            if event.name == events.KERNEL:
                compilation.kernels.append(self._kernel(event, name))
            else:
                compilation.stages.append(self._stage(event, name, compilation))

    def _with(self, frames: Tuple[Frame, ...], finished: Optional[float] = None) -> Session:
        from dataclasses import replace

        return replace(self._session, frames=frames, finished=finished, failures=self._fence.failures)

    def _record(self) -> None:
        from dataclasses import replace

        def write() -> None:
            self._directory.write(INDEX, index(self._session))
            names = tuple(sorted({*self._directory.files, RECORD}))
            self._directory.write(RECORD, to_json(replace(self._session, files=names)))

        self._fence.attempt("writing the record", write, None)

    def _compilation(self, compilation: Compilation) -> None:
        compilation.changed = False
        function = compilation.function
        assert function is not None
        if compilation.pending or compilation.graph_names:
            compilation.graph_file_name = compilation.graph_file_name or _graph_file_name(compilation)
            self.graphs(compilation, compilation.graph_file_name)
        entry = compilation.entry or self._entry(compilation, function)
        from dataclasses import replace

        compilation.entry = replace(
            entry, outcome=compilation.outcome, reason=_fail_reason(compilation), graph=self._graph(compilation),
            resumes=tuple(Resume(name, found.number if found else None) for name, found in compilation.resumes.items()),
            recompile_reasons=compilation.recompile_reasons, breaks=tuple(compilation.breaks), times=compilation.times,
            guards=entry.guards or guards_from_tree(compilation.guard_tree or "", function.file))

    def _entry(self, compilation: Compilation, function: Function) -> Entry:
        entry = Entry(compilation.compile_id, compilation.outcome, side_effects=compilation.side_effects)
        code = compilation.transformed
        if code is None:
            return entry
        from dataclasses import replace

        name = safe_name(function.name)
        number = self._numbers.take(f"__transformed_code_{name}")
        file = f"__transformed_code_{number}_for_{name}.py"
        shown = show(code)
        head = docstring(f"What runs in place of {function.qualname}, {function.file}:{function.line} "
                         f"[{compilation.compile_id}], {'not shown as Python' if shown.source is None else proved(shown.certificate)}.")
        body = (f"# {without_addresses(str(shown.refusal))}\n" + comment(without_uuid(listing(code)))
                if shown.source is None else without_uuid(shown.source))
        self._directory.write(file, f"{head}\n{body}")
        return replace(entry, transformed_file=file, transformed_source=shown.source and without_uuid(shown.source),
                       certificate=shown.certificate, refusal=shown.refusal)

    def _graph(self, compilation: Compilation) -> Optional[Graph]:
        if compilation.graph_file_name is None:
            return None
        names = compilation.graph_names
        return Graph(compilation.graph_file_name, names[0] if names else None, tuple(compilation.stages), tuple(compilation.kernels))

    def _stage(self, event: Event, graph: str, compilation: Compilation) -> Stage:
        kind = events.STAGES[event.name]
        function = compilation.function
        of = f", {function.qualname} [{compilation.compile_id}]" if function else ""
        text = stage_text(str(event.payload or ""), f"{kind} of {graph}{of} (torch calls it {event.name}).")
        file = f"{graph}.{kind}.{self._numbers.take(f'{graph}.{kind}')}.py"
        self._directory.write(file, text.source)
        return Stage(kind, file, event.name, text.node_count, text.shapes)

    def _kernel(self, event: Event, graph: str) -> Kernel:
        text = str(event.payload or "")
        origin: Dict[str, Any] = event.details if isinstance(event.details, dict) else {}
        torch_file = origin.get("file_path") or origin.get("filename")
        ending = PurePath(str(torch_file or "kernel.py")).suffix or ".py"
        file = f"{graph}.kernel_{self._numbers.take(f'{graph}.kernel')}{ending}"
        self._directory.write(file, text)
        lines = ((number, found.group(1)) for number, line in enumerate(text.split("\n"), 1) for found in [_NODES.search(line)] if found)
        return Kernel(file, _language(text, ending), tuple(lines), torch_file)

    def _full_code(self, function: Function, functions: Sequence[Function]) -> None:
        name = safe_name(function.name)
        if function.full_code_file is None:
            number = self._numbers.take(f"full_code_for_{name}")
            function.full_code_file = f"full_code_for_{name}_{number}.py"
        family = [each for each in functions if each.root is function]
        trees = [(each, compilation) for each in family for compilation in each.compilations if compilation.guard_tree]
        if trees:
            function.guards_file = f"{function.full_code_file[:-3]}.guards.txt"
            for each in family:
                each.guards_file = function.guards_file
            self._directory.write(function.guards_file, "\n".join(
                f"[{compilation.compile_id}] {each.name}\n{raw_text(compilation.guard_tree or '')}" for each, compilation in trees))
        frames = tuple(self._frame(each) for each in functions)
        by_number = {frame.number: frame for frame in frames}
        self._session = self._with(frames)
        self._directory.write(function.full_code_file, full_code(self._session, by_number[function.number]))

    def _frame(self, function: Function) -> Frame:
        return Frame(
            number=function.number, name=function.name, qualname=function.qualname, file=function.file, line=function.line,
            source=function.source, resumes=function.continues.number if function.continues else None,
            full_code_file=function.full_code_file, guards_file=function.guards_file,
            entries=tuple(each.entry for each in function.compilations if each.entry is not None))


def _graph_file_name(compilation: Compilation) -> str:
    names = compilation.graph_names
    return without_uuid(names[0]) if names else f"__compiled_fn_failed_{re.sub('[^0-9]+', '_', compilation.compile_id).strip('_')}"


def _fail_reason(compilation: Compilation) -> Optional[str]:
    reason = compilation.metrics.get("fail_reason")
    return without_addresses(str(reason)) if reason else None


def _language(text: str, ending: str) -> str:
    if ending != ".py":
        return ending[1:]
    if "async_compile.triton(" in text:
        return "triton"
    return "cpp" if "cpp_pybinding(" in text or "async_compile.cpp" in text else "python"
