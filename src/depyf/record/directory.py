"""The dump directory: atomic writes, and who may write where.

A directory used again loses what the previous record lists, and only that. A running process holds a lock on the folder
itself (it dies with the process and leaves no file); another process without a rank that finds it locked writes into
``process_1``, ``process_2`` … below it. Where folders cannot be locked (Windows, some network file systems) the first
free name is taken as it is.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

from depyf.record.schema import RecordError, from_json

RECORD = "depyf.json"
INDEX = "index.md"


class Directory:
    """A claimed dump directory. ``path`` is where files go; ``files`` are the names written so far, in order."""

    def __init__(self, path: Path, lock: int | None) -> None:
        self.path = path
        self.files: list[str] = []
        self._known: set[str] = set()
        self._numbers: dict[str, int] = {}
        self._lock = lock
        self._pid = os.getpid()

    def numbered(self, template: str) -> str:
        """``template`` with the next number in place of ``{}``, such that no file of that name is there.

        Names that differ only in case share a count: some file systems cannot tell them apart.
        """
        key = template.casefold()
        while True:
            number = self._numbers.get(key, 0)
            self._numbers[key] = number + 1
            name = template.format(number)
            if not (self.path / name).exists():
                return name

    def own(self, name: str) -> str:
        """``name``, or another one when a file of that name is there that is not ours."""
        foreign = name not in self._known and (self.path / name).exists()
        return f"depyf_{name}" if foreign else name

    def write(self, name: str, content: str) -> str:
        """Write a file at once or not at all; returns ``name``. Raises OSError when that is not possible."""
        return self.write_bytes(name, content.encode("utf-8", "backslashreplace"))

    def write_bytes(self, name: str, content: bytes) -> str:
        """As :meth:`write`, for bytes."""
        target = self.path / name
        draft = self.path / f".depyf-{os.getpid()}.tmp"
        try:
            _write_through(draft, target, content)
        except FileNotFoundError:
            self.path.mkdir(parents=True, exist_ok=True)
            _write_through(draft, target, content)
        if name not in self._known:
            self._known.add(name)
            self.files.append(name)
        return name

    def forget_lost_files(self) -> list[str]:
        """Drop files that somebody removed from ``files``, and return their names."""
        lost = [name for name in self.files if not (self.path / name).exists()]
        self._known.difference_update(lost)
        self.files = [name for name in self.files if name in self._known]
        return lost

    def hold_again(self) -> None:
        """Keep other processes away as before :meth:`release`.

        Raises FileNotFoundError when the directory is gone, BlockingIOError when another process writes to it now.
        """
        if not self.path.is_dir():
            raise FileNotFoundError(errno.ENOENT, "the directory is gone", str(self.path))
        self._lock = _lock(self.path)

    def release(self) -> None:
        """Let other processes have the directory. A forked child lets go of nothing: the lock is its parent's."""
        if self._lock is not None:
            if self._pid == os.getpid():
                _unlock(self._lock)
            os.close(self._lock)
            self._lock = None


def claim(path: Path, rank: int | None) -> Directory:
    """Make ``path`` (or a folder below it, see the module) ours and clear what the previous record lists.

    Raises:
        OSError: it is a file, cannot be made, or cannot be written to.
    """
    if rank is not None and not path.name.startswith("rank_"):
        path = path / f"rank_{rank}"
    if path.exists() and not path.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "depyf needs a directory to write to, this is a file", str(path))
    directory = _lock_first_free(path)
    try:
        _require_writable(directory.path)
        _remove_previous(directory.path)
    except OSError:
        directory.release()
        raise
    return directory


def _write_through(draft: Path, target: Path, content: bytes) -> None:
    try:
        draft.write_bytes(content)
        os.replace(draft, target)
    except OSError:
        _remove(draft)
        raise


def _lock_first_free(path: Path) -> Directory:
    number = 0
    while True:
        candidate = path / f"process_{number}" if number else path
        candidate.mkdir(parents=True, exist_ok=True)
        try:
            return Directory(candidate, _lock(candidate))
        except BlockingIOError:
            number += 1


def _lock(path: Path) -> int | None:
    """An open descriptor that holds the lock, None where folders cannot be locked. BlockingIOError when it is taken."""
    try:
        import fcntl
    except ImportError:
        return None
    descriptor = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _unlock(descriptor: int) -> None:
    """Closing it would not do: children that were forked meanwhile have it open too."""
    import fcntl

    fcntl.flock(descriptor, fcntl.LOCK_UN)


def _require_writable(path: Path) -> None:
    probe = path / f".depyf-{os.getpid()}.tmp"
    probe.write_bytes(b"")
    _remove(probe)


def _remove_previous(path: Path) -> None:
    """Remove what the previous record lists. A ``depyf.json`` that is no record of ours raises FileExistsError."""
    record = path / RECORD
    if not record.exists():
        return
    try:
        previous = from_json(record.read_text(encoding="utf-8"))
    except (RecordError, UnicodeDecodeError) as error:
        raise FileExistsError(
            errno.EEXIST, f"will not replace this file, it was not written here ({error})", str(record)
        ) from error
    for name in (*previous.files, RECORD):
        if os.path.basename(name) == name:
            _remove(path / name)


def _remove(path: Path) -> None:
    try:
        path.unlink()
    except OSError:
        return
