"""Where and when debug() is entered: without a record, in a directory that is gone, twice, in threads."""

from __future__ import annotations

import threading
from shutil import rmtree

import pytest
import torch
from driving import Program, lines_run, own_code, toy

import depyf

pytestmark = pytest.mark.usefixtures("no_pause")


def test_without_an_earlier_prepare_debug(monkeypatch):
    monkeypatch.setattr("depyf.capture.prepare._latest", [])
    with pytest.raises(RuntimeError, match="run the program in such a block before"), depyf.debug():
        pass


def test_after_the_directory_was_deleted(tmp_path):
    directory = tmp_path / "dump"
    Program(directory, "eager")
    before = own_code()
    for file in directory.iterdir():
        file.unlink()
    directory.rmdir()
    with pytest.raises(FileNotFoundError, match="directory is gone"), depyf.debug():
        pass
    assert own_code() == before


def test_the_directory_is_deleted_inside(tmp_path, capsys):
    directory = tmp_path / "dump"
    program = Program(directory, "eager")
    with depyf.debug():
        rmtree(directory)
        assert program.same(program.main())
        program.main(size=8)
    with depyf.debug():
        assert program.same(program.main())
    assert "is only shown: its files are gone" in capsys.readouterr().err


def test_inside_of_prepare_debug_twice_and_nested(tmp_path):
    with depyf.prepare_debug(tmp_path):
        compiled = torch.compile(toy, backend="eager")
        arguments = torch.ones(4), torch.ones(4)
        expected = compiled(*arguments)
        before = own_code()
        for _ in range(2):
            with depyf.debug():
                with depyf.debug(), lines_run(tmp_path) as seen:
                    assert torch.equal(compiled(*arguments), expected)
                assert own_code() != before and seen
            assert own_code() == before


def test_threads(tmp_path):
    program = Program(tmp_path, "eager")
    before, results = own_code(), []

    def work():
        with depyf.debug():
            results.append(program.same(program.main()))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 4 and own_code() == before


def test_an_exception_passes_and_restores(tmp_path):
    program = Program(tmp_path, "eager")
    before, mine = own_code(), KeyError("mine")
    with pytest.raises(KeyError) as caught, depyf.debug():
        raise mine
    assert caught.value is mine and own_code() == before
    block = depyf.debug()
    block.__enter__()
    assert program.same(program.main())
    block.__exit__(None, None, None)
    with pytest.raises(RuntimeError, match="without having been entered"):
        block.__exit__(None, None, None)
    assert own_code() == before
