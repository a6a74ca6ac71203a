"""From a line of the user's to the lines that torch.compile made of it, and back. Reads the dump directory only.

    toy.py:5  ⇄  __compiled_fn_1.Captured_Graph.0.py:18   abs_1 = torch.abs(l_a_)
              ⇄  __transformed_code_0_for_toy_example.py:6   graph_out_0 = __compiled_fn_1(a, b)
              ⇄  __compiled_fn_1.kernel_0.py:111   cpp_fused_abs_add_div_lt_sum_0(...)

Torch writes above the operations of a graph which line of the user's they came from. A kernel is known by the nodes
that the record says it was made from, or by the operations in its name.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Iterator, NamedTuple

from depyf.record.directory import RECORD
from depyf.record.schema import Entry, Graph, Kernel, from_json

_FROM = re.compile(r"^\s*# File: (.+):(\d+) in ")
_NO_OPERATION = re.compile(r"^\s*(#.*|\w+ = \w+|[\])},]*)?\s*$")
# Calls of kernels (cpp_fused_add_0, triton_poi_fused_add_0.run), of libraries (extern_kernels.mm), and of operators.
_CALL = re.compile(r"^\s*(?:\w+ = )?(\w+_fused_\w+|extern_kernels\.\w+|torch\.ops\.\w+\.\w+)[.\w]*\(")
_DEFINED = re.compile(r"(\w+) = async_compile\.")
_ASSIGNED = re.compile(r"\w+")
_OPERATION = re.compile(r"torch\.ops\.\w+\.(\w+)")


_RESUME = re.compile(r"\b__resume_at_\d+")


class Place(NamedTuple):
    """A line of a file; ``kind`` is ``user``, ``transformed``, ``graph`` or ``kernel``."""

    kind: str
    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.kind:11} {self.file}:{self.line}   {self.text}"


class Link(NamedTuple):
    """``made`` came from ``user``."""

    user: Place
    made: Place


def places(dump_src_dir: str | os.PathLike[str], place: str) -> list[Place]:
    """Everything that belongs together with a line: the user's lines first, then what torch.compile made of them.

    Args:
        dump_src_dir: a directory that ``prepare_debug`` wrote.
        place: ``"model.py:42"``; a file of the user's (its name, or the end of its path) or one of the directory.

    Raises:
        ValueError: ``place`` is no ``FILE:LINE``.
        OSError, RecordError: the directory holds no record.
    """
    file, line = parse(place)
    links = list(_Links(Path(dump_src_dir)).all())
    users = {_at(link.user) for link in links if _is(link.user, file, line) or _is(link.made, file, line)}
    found = [link for link in links if _at(link.user) in users]
    return list(dict.fromkeys([*(link.user for link in found), *(link.made for link in found)]))


def parse(place: str) -> tuple[str, int]:
    """``"model.py:42"`` in two. Raises ValueError."""
    file, colon, line = place.rpartition(":")
    if not (colon and file and line.isdigit()):
        raise ValueError(f'a place is "FILE:LINE", such as "model.py:42", not {place!r}')
    return file, int(line)


def told(dump_src_dir: str | os.PathLike[str], place: str) -> list[str]:
    """:func:`places` in words, one line for each; what goes wrong is said."""
    try:
        found = places(dump_src_dir, place)
    except (ValueError, OSError) as error:
        return [f"*** {error}"]
    return [str(each) for each in found] or [f"nothing that torch compiled came from {place}"]


class _Links:
    """The lines of one dump directory that belong together."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def all(self) -> Iterator[Link]:
        session = from_json((self._directory / RECORD).read_text(encoding="utf-8"))
        for entry in (entry for frame in session.frames for entry in frame.entries):
            yield from self._links_of(entry)

    def _links_of(self, entry: Entry) -> Iterator[Link]:
        if entry.graph is not None:
            links = list(self._graph_links(entry.graph))
            users = list(dict.fromkeys(link.user for link in links))
            yield from links
            for made in self._lines(entry.transformed_file, "transformed", re.compile(rf"\b{entry.graph.name}\(")):
                yield from (Link(user, made) for user in users)
        for stop in entry.breaks:
            if stop.file is not None and stop.line is not None:
                user = Place("user", stop.file, stop.line, stop.user_code or "")
                for made in self._lines(entry.transformed_file, "transformed", _RESUME):
                    yield Link(user, made)

    def _graph_links(self, graph: Graph) -> Iterator[Link]:
        by_file = {stage.file: list(self._stage_links(stage.file)) for stage in graph.stages}
        for links in by_file.values():
            yield from links
        for kernel in graph.kernels:
            captured = [link for file, links in by_file.items() if ".Captured_Graph." in file for link in links]
            lowered = [link for file, links in by_file.items() if self._stage_of(kernel) in file for link in links]
            nodes = self._nodes(kernel)
            for made in self._lines(kernel.file, "kernel", _CALL):
                name = _CALL.search(made.text).group(1)  # type: ignore[union-attr]
                if name in nodes:
                    came = [link for link in captured if _assigned(link) in nodes[name]]
                else:
                    came = [link for link in lowered if _operation(link) in f"_{name}_"]
                yield from (Link(user, made) for user in dict.fromkeys(link.user for link in came))

    def _stage_of(self, kernel: Kernel) -> str:
        """The graph that Inductor was given for this file: its first line names the direction."""
        return ".Backward_graph." if "backward" in self._text(kernel.file)[0] else ".Forward_graph."

    def _nodes(self, kernel: Kernel) -> dict[str, set[str]]:
        """Kernel -> the nodes of the captured graph that a comment above its definition names."""
        above, nodes = dict(kernel.line_map), {}
        latest: set[str] = set()
        for number, text in enumerate(self._text(kernel.file), 1):
            latest = set(above[number].split(", ")) if number in above else latest
            defined = _DEFINED.match(text)
            if defined and latest:
                nodes[defined.group(1)], latest = latest, set()
        return nodes

    def _stage_links(self, file: str) -> Iterator[Link]:
        user = None
        for number, text in enumerate(self._text(file), 1):
            found = _FROM.match(text)
            if found:
                code = text.partition(", code: ")[2].strip()
                user = Place("user", found.group(1), int(found.group(2)), code)
            elif text.lstrip().startswith("return"):
                user = None
            elif user is not None and not _NO_OPERATION.match(text):
                yield Link(user, Place("graph", file, number, text.strip()))

    def _lines(self, file: str | None, kind: str, wanted: re.Pattern[str]) -> Iterator[Place]:
        for number, text in enumerate(self._text(file) if file is not None else (), 1):
            if wanted.search(text) and not text.startswith(("#", '"""')):
                yield Place(kind, file or "", number, text.strip())

    def _text(self, file: str) -> list[str]:
        try:
            return (self._directory / file).read_text(encoding="utf-8").split("\n")
        except OSError:
            return []


def _at(place: Place) -> tuple[str, int]:
    return place.file, place.line


def _is(place: Place, file: str, line: int) -> bool:
    """``file`` is the end of the place's path; that of the dump directory's files is left out of the record."""
    one, other = f"/{place.file}", f"/{file}"
    return place.line == line and (one.endswith(other) or other.endswith(one))


def _assigned(link: Link) -> str:
    found = _ASSIGNED.match(link.made.text)
    return found.group() if found else ""


def _operation(link: Link) -> str:
    """``_add_`` for a call of ``torch.ops.aten.add.Tensor``."""
    found = _OPERATION.search(link.made.text)
    return f"_{found.group(1)}_" if found else "no operation"
