from __future__ import annotations

import os
import signal
from contextlib import contextmanager

import pytest

from depyf.record.directory import claim
from depyf.record.schema import SCHEMA, Session, to_json

needs_locks = pytest.mark.skipif(os.name == "nt", reason="folders cannot be locked there")


@needs_locks
def test_processes_without_a_rank_never_share_a_directory(tmp_path):
    """A lock belongs to an open file, so that two claims in one process are like two processes."""
    first, second, third = (claim(tmp_path, None) for _ in range(3))
    assert [each.path.name for each in (second, third)] == ["process_1", "process_2"]
    second.release()
    again = claim(tmp_path, None)
    assert again.path == second.path
    for each in (first, third, again):
        each.release()
    assert {each.name for each in tmp_path.iterdir()} == {"process_1", "process_2"}


def test_a_lock_ends_with_its_directory_object(tmp_path):
    for _ in range(2):
        directory = claim(tmp_path, None)
        assert directory.path == tmp_path
        directory.release()
        directory.release()


def test_writing_is_all_or_nothing(tmp_path, monkeypatch):
    directory = claim(tmp_path, None)
    directory.write("a.py", "old")

    def fail(*_):
        raise OSError("disk")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk"):
        directory.write("a.py", "new")
    monkeypatch.undo()
    assert [each.name for each in tmp_path.iterdir()] == ["a.py"]
    assert (tmp_path / "a.py").read_text() == "old"
    directory.release()


def test_numbers_skip_what_is_there_and_do_not_tell_case(tmp_path):
    (tmp_path / "f_1.py").write_text("mine")
    directory = claim(tmp_path, None)
    assert [directory.numbered(each) for each in ("f_{}.py", "F_{}.py", "f_{}.py", "g_{}.py")] == [
        "f_0.py",
        "F_1.py",
        "f_2.py",
        "g_0.py",
    ]
    directory.release()


def test_a_record_cannot_make_us_remove_files_elsewhere(tmp_path):
    outside = tmp_path / "outside.py"
    outside.write_text("mine")
    folder = tmp_path / "dump"
    folder.mkdir()
    (folder / "ours.py").write_text("")
    session = Session(SCHEMA, {}, (), None, 1, 1.0, files=("../outside.py", str(outside), "ours.py", "gone.py"))
    (folder / "depyf.json").write_text(to_json(session))
    claim(folder, None).release()
    assert outside.exists() and list(folder.iterdir()) == []


@contextmanager
def forked(step):
    """A child of this process that has done ``step`` and goes on living."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        step()
        os.write(write, b"!")
        signal.pause()
    assert os.read(read, 1) == b"!"
    try:
        yield
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(read)
        os.close(write)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_neither_keeps_the_lock_nor_lets_go_of_it(tmp_path):
    directory = claim(tmp_path, None)
    with forked(lambda: None):
        directory.release()
        directory.hold_again()
    with forked(directory.release):
        assert claim(tmp_path, None).path == tmp_path / "process_1"
    directory.release()
