"""What was captured -> records -> files. Only what changed is written again."""

from __future__ import annotations

import time
import weakref
from dataclasses import replace
from typing import Sequence

from depyf.capture.artifacts import Artifacts, fail_reason, graph_file_name
from depyf.capture.compilation import Compilation, Function
from depyf.capture.fence import Fence
from depyf.capture.guard_checks import Known, remember
from depyf.capture.guards import guards_from_tree
from depyf.capture.recompiles import recompile, said
from depyf.record.directory import INDEX, RECORD, Directory
from depyf.record.full_code import family_entries, full_code
from depyf.record.guard_function import guard_names
from depyf.record.index import index
from depyf.record.names import safe_name, without_uuid
from depyf.record.schema import Entry, Frame, Graph, Guard, Resume, Session, to_json
from depyf.record.text import count


class Writer:
    """Keeps the record of one session and its files in one directory."""

    def __init__(self, directory: Directory, session: Session, fence: Fence, log_bytecode: bool) -> None:
        self._directory = directory
        self._session = session
        self._fence = fence
        self._artifacts = Artifacts(directory, log_bytecode)
        self._encoded: dict[int, tuple[object, tuple[str, ...]]] = {}
        self._write_record()  # whoever looks into the directory sees that a run is on

    def settle(self, functions: Sequence[Function], closing: bool = False) -> None:
        """Write what changed in ``functions``, and the record when anything did; not if :meth:`close` will, next."""
        changed = [each for function in functions for each in function.compilations if each.changed]
        if not changed:
            return
        for compilation in changed:
            self._guarded(f"writing [{compilation.compile_id}]", self._compilation, compilation, functions)
        roots = {id(each.function.root): each.function.root for each in changed if each.function is not None}
        for root in roots.values():
            self._guarded(f"writing {root.name}", self._family, root, functions)
        self._session = replace(self._session, frames=_frames(functions))
        if not closing:
            self._write_record()

    def outside(self, compilation: Compilation, keep: bool) -> None:
        """Graphs that belong to no compilation: written when asked for, said in any case."""
        if keep:
            self._artifacts.pending(compilation, "__wild_fx")
        elif compilation.pending:
            graphs = count(len(compilation.pending), "graph")
            note = (
                f"{graphs} of torch.export, aot_compile or AOTAutograd alone, outside of any compilation: "
                "prepare_debug(..., clean_wild_fx_code=False) writes them."
            )
            self.add_missing(note)
            compilation.pending.clear()

    def unfinished(self, compilation: Compilation) -> None:
        """The graphs of a compilation that ended in no code of Dynamo's."""
        self._artifacts.pending(compilation, graph_file_name(compilation))
        note = (
            f"[{compilation.compile_id}] was still being compiled when the block ended, or another compiler than "
            "Dynamo took it over: only its graphs are written."
        )
        self.add_missing(note)

    def add_missing(self, note: str) -> None:
        """Something that could not be seen, in a sentence."""
        self._session = replace(self._session, missing=(*self._session.missing, note))

    def close(self) -> None:
        """The record of a session that ended in order."""
        self._guarded("looking for removed files", self._note_lost_files)
        self._session = replace(self._session, finished=time.time())
        self._write_record()

    def _guarded(self, during: str, step: object, *arguments: object) -> None:
        self._fence.around(during, step)(*arguments)  # type: ignore[arg-type]

    def _note_lost_files(self) -> None:
        lost = self._directory.forget_lost_files()
        if lost:
            self._fence.note("keeping files", FileNotFoundError(f"removed while the program ran: {', '.join(lost)}"))

    def _write_record(self) -> None:
        self._guarded("writing the record", self._record)

    def _record(self) -> None:
        index_name = self._directory.own(INDEX)
        session = replace(self._session, failures=self._fence.failures)
        files = tuple(sorted({*self._directory.files, index_name, RECORD}))
        self._directory.write(index_name, index(session))
        self._directory.write(RECORD, to_json(replace(session, files=files), self._encoded))

    def _compilation(self, compilation: Compilation, functions: Sequence[Function]) -> None:
        function = compilation.function
        if function is None:
            return
        compilation.changed = False
        if compilation.pending or compilation.graph_names:
            compilation.graph_file_name = compilation.graph_file_name or graph_file_name(compilation)
            self._artifacts.pending(compilation, compilation.graph_file_name)
        entry = compilation.entry or self._first_entry(compilation, function)
        guards = entry.guards or guards_from_tree(compilation.guard_tree or "", function.file, compilation.identities)
        before = _guards_by_id(function, functions)
        recompiles = tuple(recompile(text, guards, before) for text in compilation.recompile_reasons)
        compilation.entry = replace(
            entry,
            outcome=compilation.outcome,
            reason=fail_reason(compilation),
            graph=_graph(compilation),
            resumes=tuple(
                Resume(without_uuid(name), found.number if found else None)
                for name, found in compilation.resumes.items()
            ),
            guards=guards,
            recompile_reasons=tuple(map(said, recompiles)),
            recompiles=recompiles,
            symbols=tuple(compilation.symbols.values()),
            breaks=tuple(compilation.breaks),
            times=compilation.times,
        )

    def _first_entry(self, compilation: Compilation, function: Function) -> Entry:
        entry = Entry(
            compilation.compile_id,
            compilation.outcome,
            side_effects=compilation.side_effects,
            earlier=compilation.earlier,
        )
        if compilation.transformed is None:
            return entry
        file, shown, read_as = self._artifacts.transformed(compilation, function, compilation.transformed)
        compilation.transformed = None
        return replace(
            entry,
            read_as=read_as if read_as != shown.source else None,
            transformed_file=file,
            transformed_source=shown.source,
            certificate=shown.certificate,
            refusal=shown.refusal,
        )

    def _family(self, root: Function, functions: Sequence[Function]) -> None:
        """The two files that tell of a function and all that continues it; named only once they are written."""
        family = [each for each in functions if each.root is root]
        file = root.full_code_file or self._directory.numbered("full_code_for_" + safe_name(root.shown) + "_{}.py")
        guards_file = self._guards_file(family, f"{file[:-3]}.guards.txt")
        for each in family:
            each.guards_file = guards_file
        session = replace(self._session, frames=_frames(functions))
        self._directory.write(file, full_code(session, session.frame(root.number)))
        root.full_code_file = file
        remember(str(self._directory.path / file), _known(session, root, family))

    def _guards_file(self, family: Sequence[Function], name: str) -> str | None:
        trees = [
            f"[{compilation.compile_id}] {each.name}\n{compilation.guard_text}"
            for each in family
            for compilation in each.compilations
            if compilation.guard_tree
        ]
        return self._directory.write(name, "\n".join(trees)) if trees else None


def _guards_by_id(function: Function, functions: Sequence[Function]) -> dict[str, tuple[Guard, ...]]:
    """The guards of every entry of the same code, which torch keeps in one list."""
    same = [each for each in functions if each is function or (each.code is not None and each.code is function.code)]
    entries = [each.entry for one in same for each in one.compilations if each.entry is not None]
    return {entry.compile_id: entry.guards for entry in entries}


def _graph(compilation: Compilation) -> Graph | None:
    if compilation.graph_file_name is None:
        return None
    names = compilation.graph_names
    return Graph(
        compilation.graph_file_name,
        names[0] if names else None,
        tuple(compilation.stages),
        tuple(compilation.kernels),
        tuple(compilation.caches),
        compilation.graph_code,
    )


def _frames(functions: Sequence[Function]) -> tuple[Frame, ...]:
    return tuple(_frame(function) for function in functions)


def _frame(function: Function) -> Frame:
    return Frame(
        number=function.number,
        name=function.shown,
        qualname=function.qualname,
        file=function.file,
        line=function.line,
        source=function.source,
        resumes=function.continues.number if function.continues else None,
        full_code_file=function.root.full_code_file,
        guards_file=function.guards_file,
        entries=tuple(each.entry for each in function.compilations if each.entry is not None),
        arguments=function.arguments,
    )


def _known(session: Session, root: Function, family: Sequence[Function]) -> dict[str, Known]:
    """What the guard functions of the file about ``root`` need, by their names."""
    entries = family_entries(session, session.frame(root.number))
    names = dict(zip(map(id, entries), guard_names(entries)))
    return {
        names[id(compilation.entry)]: Known(
            compilation.compile_id,
            weakref.ref(each.code),
            tuple(compilation.identities.numbers),
            tuple(compilation.identities.texts),
            tuple(guard.python for guard in compilation.entry.guards),
        )
        for each in family
        for compilation in each.compilations
        if each.code is not None and compilation.entry is not None
    }
