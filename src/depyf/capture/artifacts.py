"""The files of one compilation: the transformed code, the graphs at each stage, the kernels."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import import_module
from pathlib import PurePath
from types import CodeType
from typing import Any

from depyf.capture import events
from depyf.capture.compilation import Compilation, Function
from depyf.capture.decompiled import Shown, in_file, listing, show
from depyf.capture.events import Event
from depyf.capture.inductor_ir import STAGE_OF
from depyf.capture.installing import installs, runnable
from depyf.capture.kernels import NODES, computations, lines_of, with_lines, with_nodes
from depyf.capture.module_paths import as_written, paths_in, with_certain_remarks
from depyf.record.directory import Directory
from depyf.record.full_code import proved
from depyf.record.names import safe_name, without_addresses, without_uuid
from depyf.record.resumes import break_words, with_breaks
from depyf.record.schema import Kernel, Stage
from depyf.record.stages import stage_text
from depyf.record.text import comment, docstring

# Not those that are listed again as the parts of one that they were fused into.
_IR_NODE = re.compile(r"^(?<! =\n)\w+: \w*SchedulerNode\(", re.MULTILINE)
_NODES = re.compile(r"# Topologically Sorted Source Nodes: \[(.*?)\]")


class Artifacts:
    """Writes them into one directory, under names that count up."""

    def __init__(self, directory: Directory, log_bytecode: bool) -> None:
        self._directory = directory
        self._log_bytecode = log_bytecode
        self._installs = installs()

    def transformed(
        self, compilation: Compilation, function: Function, code: CodeType
    ) -> tuple[str, Shown, str | None]:
        """``__transformed_code_<n>_for_<fn>.py``: its name, what it shows, and that as it is read most easily."""
        file = self._directory.numbered("__transformed_code_{}_for_" + safe_name(function.shown) + ".py")
        shown = show(code)
        read_as = None
        if shown.source is not None:
            source = without_uuid(shown.source)
            paths = paths_in(source, compilation.modules)
            source = with_breaks(with_certain_remarks(source, paths), compilation.breaks)
            shown, read_as = replace(shown, source=source), as_written(source, paths)
        about = proved(shown.certificate) if shown.source is not None else "not shown as Python"
        runs = runnable(code, shown) if self._installs else None
        head = docstring(
            f"What runs in place of {function.qualname}, {function.file}:{function.line} "
            f"[{compilation.compile_id}]: {about}."
            + _goes_on(function)
            + (" The code of this file is what runs." if runs is not None else "")
        )
        text = head + "\n" + (shown.source or _refused(code, shown))
        self._directory.write(file, text)
        path = str(self._directory.path.resolve() / file)
        compilation.installed = None if runs is None else in_file(runs, text, path)
        if self._log_bytecode:
            back = None if shown.proved is None else in_file(shown.proved, text, path)
            self._bytecode(file, function.code, code, back)
        return file, shown, read_as

    def pending(self, compilation: Compilation, graph: str) -> None:
        """The graphs and kernels that arrived since the last time, under the name of their graph."""
        arrived, compilation.pending = compilation.pending, []
        for event in arrived:
            if event.name == events.KERNEL:
                compilation.kernels.append(self._kernel(event, graph, compilation))
            elif event.name in events.PROVENANCE:
                _provenance(event, compilation)
            elif event.name == events.IR:
                compilation.stages.append(self._ir(event, graph))
            else:
                compilation.stages.append(self._stage(event, graph, compilation))

    def _stage(self, event: Event, graph: str, compilation: Compilation) -> Stage:
        kind = safe_name(str(event.details)) if event.name == events.NAMED else events.STAGES[event.name]
        function = compilation.function
        of = f", {function.qualname} [{compilation.compile_id}]" if function else ""
        about = f"{kind} of {graph}{of} (torch calls it {event.name})."
        places = lines_of(str(event.payload or ""))
        compilation.places.update(places)
        compilation.lowered = tuple(places)  # Inductor's code follows the graph that it was made of
        values = {name: symbol.fixed or symbol.value for name, symbol in compilation.symbols.items()}
        text = stage_text(str(event.payload or ""), about, graph, values)
        if event.name == events.CAPTURED:
            compilation.graph_code = text.code
        file = self._directory.numbered(graph + "." + kind + ".{}.py")
        self._directory.write(file, text.source)
        return Stage(kind, file, event.name, text.node_count, text.shapes)

    def _ir(self, event: Event, graph: str) -> Stage:
        kind = STAGE_OF[str(event.details)]
        file = self._directory.numbered(graph + "." + kind + ".{}.txt")
        self._directory.write(file, str(event.payload or ""))
        return Stage(kind, file, event.name, len(_IR_NODE.findall(str(event.payload or ""))))

    def _kernel(self, event: Event, graph: str, compilation: Compilation) -> Kernel:
        # As torch wrote it, to the line: profiles and tracebacks speak of these line numbers.
        text = str(event.payload or "")
        origin: dict[str, Any] = event.details if isinstance(event.details, dict) else {}
        torch_file = origin.get("file_path") or origin.get("filename")
        ending = PurePath(str(torch_file or "kernel.py")).suffix or ".py"
        file = self._directory.numbered(graph + ".kernel_{}" + ending)
        self._directory.write(file, text)
        found = ((number, _NODES.search(line)) for number, line in enumerate(text.split("\n"), 1))
        line_map = tuple((number, nodes.group(1)) for number, nodes in found if nodes)
        computes = computations(text, compilation.places, compilation.lowered)
        return Kernel(file, _language(text, ending), line_map, torch_file, computes)

    def _bytecode(self, file: str, original: CodeType | None, code: CodeType, back: CodeType | None) -> None:
        dump = import_module("dill").dumps
        kinds = {"original": original, "transformed": code, "decompiled_and_compiled_back": back}
        for kind, each in kinds.items():
            if each is not None:
                self._directory.write_bytes(f"{file}.{kind}_bytecode", dump(each))


def _goes_on(function: Function) -> str:
    """Where and why the function stopped that a resume function continues."""
    before = function.continues.compilations if function.continues else []
    stops = (break_words(each.breaks) for each in before if function in each.resumes.values())
    words = next((each for each in stops if each is not None), None)
    return f" It goes on {words}." if words else ""


def _provenance(event: Event, compilation: Compilation) -> None:
    """Torch tells it after the code that it is about."""
    if compilation.kernels:
        add = with_nodes if event.name == NODES else with_lines
        compilation.kernels[-1] = add(compilation.kernels[-1], event.payload)


def _refused(code: CodeType, shown: Shown) -> str:
    return comment(f"{shown.refusal}\n\n{without_uuid(listing(code))}")


def _language(text: str, ending: str) -> str:
    if ending != ".py":
        return ending[1:]
    if "async_compile.triton(" in text:
        return "triton"
    return "cpp" if "cpp_pybinding(" in text or "async_compile.cpp" in text else "python"


def graph_file_name(compilation: Compilation) -> str:
    """``__compiled_fn_<id>``; a graph whose compilation failed, or goes on after the block, has no name from torch."""
    names = compilation.graph_names
    if names:
        return without_uuid(names[0])
    state = "failed" if compilation.ended else "unfinished"
    return f"__compiled_fn_{state}_" + re.sub("[^0-9]+", "_", compilation.compile_id).strip("_")


def fail_reason(compilation: Compilation) -> str | None:
    """Torch's error, when there is no transformed code."""
    if compilation.outcome == "skipped" and compilation.breaks:  # torch's text is that of the break, once more
        stop = compilation.breaks[-1]
        return f"{stop.reason}; {stop.then}" if stop.then else stop.reason
    reason = compilation.metrics.get("fail_reason")
    if compilation.outcome == "skipped" and not reason:
        return "Dynamo found nothing to compile and left it as it is"
    return without_addresses(str(reason)) if reason else None
