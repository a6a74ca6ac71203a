"""``depyf decompile`` and ``depyf explain``: what they print, write and return."""

from __future__ import annotations

import marshal
import os
import py_compile
import subprocess
import sys
from importlib.util import MAGIC_NUMBER
from pathlib import Path

import pytest

from depyf import cli
from depyf.decompiler.stages import STAGES

PROGRAM = """class A:
    def f(self, items):
        for x in items:
            if x:
                return [y for y in x]
        return lambda: x
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A directory of a source file, a bytecode file, a cached one and a text."""
    (tmp_path / "a.py").write_text(PROGRAM)
    (tmp_path / "inner").mkdir()
    py_compile.compile(str(tmp_path / "a.py"), cfile=str(tmp_path / "inner" / "b.pyc"))
    py_compile.compile(str(tmp_path / "a.py"))
    (tmp_path / "notes.txt").write_text("nothing")
    return tmp_path


def refused_file(directory: Path) -> Path:
    """Bytecode that no Python could run."""
    code = compile("x = 1", "bad", "exec")
    path = directory / "refused.pyc"
    path.write_bytes(MAGIC_NUMBER + bytes(12) + marshal.dumps(code.replace(co_code=code.co_code[:2])))
    return path


def test_file_to_terminal(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["decompile", str(program / "a.py")]) == 0
    assert capsys.readouterr().out == PROGRAM


def test_report_goes_to_standard_error(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["decompile", str(program / "inner" / "b.pyc"), "--verify-report"]) == 0
    out, err = capsys.readouterr()
    assert out == PROGRAM
    assert "<module>: exact" in err


def test_file_to_file(program: Path) -> None:
    output = program / "made" / "a.py"
    assert cli.main(["decompile", str(program / "a.py"), "-o", str(output)]) == 0
    assert output.read_text() == PROGRAM


def test_refusal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["decompile", str(refused_file(tmp_path))]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "not verified, so nothing is printed" in err


@pytest.mark.parametrize("target", ["no_such_module", "json:no_such_name", "no_such_file.py", "math:pi"])
def test_no_such_target(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["decompile", target]) == 2
    assert target in capsys.readouterr().err


def test_directory(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = program.parent / f"{program.name}_out"
    assert cli.main(["decompile", str(program), "-o", str(output), "-j", "2"]) == 0
    made = sorted(path.relative_to(output).as_posix() for path in output.rglob("*.py"))
    assert made == ["a.py", "inner/b.py"]
    assert (output / "inner" / "b.py").read_text() == PROGRAM
    assert capsys.readouterr() == ("", "2 of 2 files verified\n")


@pytest.mark.parametrize("inside", ["", "__pycache__"])
def test_directory_of_cached_bytecode(program: Path, inside: str) -> None:
    (program / "a.py").unlink()
    output = program.parent / f"{program.name}_out"
    assert cli.main(["decompile", str(program / inside), "-o", str(output), "-j", "1"]) == 0
    assert (output / "a.py").read_text() == PROGRAM


def test_directory_with_a_refused_file(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused_file(program)
    assert cli.main(["decompile", str(program), "-j", "1"]) == 1
    assert capsys.readouterr().err.endswith("2 of 3 files verified\n")


def test_directories_that_cannot_be(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert cli.main(["decompile", str(empty)]) == 2
    assert cli.main(["decompile", str(program), "-o", str(program / "a.py")]) == 2
    assert "no .py and no .pyc file" in capsys.readouterr().err


def test_explain_shows_every_stage(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", f"{program / 'a.py'}:A.f"]) == 0
    out = capsys.readouterr().out
    assert [line[3:] for line in out.splitlines() if line.startswith("== ")] == list(STAGES)
    assert "FOR_ITER" in out
    assert "<Iter items>" in out
    assert "for x in items:" in out


def test_explain_stops(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", f"{program / 'a.py'}", "--upto", "graph"]) == 0
    out = capsys.readouterr().out
    assert [line[3:] for line in out.splitlines() if line.startswith("== ")] == ["instructions", "graph"]


def test_explain_nested_names(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", f"{program / 'a.py'}:A.f.<lambda>", "--upto", "graph"]) == 0
    assert cli.main(["explain", f"{program / 'a.py'}:A.g"]) == 2
    assert "defines no A.g; there is A, A.f" in capsys.readouterr().err


def test_explain_a_refusal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", str(refused_file(tmp_path))]) == 1
    assert "damaged" in capsys.readouterr().out


def test_reader_that_has_enough(program: Path) -> None:
    command = [sys.executable, "-m", "depyf", "decompile", str(program / "a.py")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    _out, err = process.communicate()
    assert (process.returncode, err) == (cli.ENDED_BY_READER, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_no_place_to_write(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    occupied = tmp_path / "file"
    occupied.write_text("")
    assert cli.main(["decompile", str(program / "a.py"), "-o", str(occupied / "a.py")]) == 2
    assert str(occupied) in capsys.readouterr().err
    assert cli.main(["decompile", str(program / "a.py"), "-o", "/dev/full"]) == 2
    assert "/dev/full: No space left" in capsys.readouterr().err


def test_output_that_the_terminal_cannot_show(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("é = 1\n", encoding="utf-8")
    command = [sys.executable, "-m", "depyf", "decompile", str(path)]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    ended = subprocess.run(command, stdout=subprocess.PIPE, check=True, env=environment)
    assert ended.stdout.decode("utf-8") == "é = 1\n"


@pytest.mark.parametrize("target", ["os.path", "importlib._bootstrap", "zipimport"])
def test_aliases_and_frozen_modules(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["decompile", target]) == 0
    assert "def " in capsys.readouterr().out


@pytest.mark.parametrize("target", ["", " ", ":", "json:", ":json"])
def test_names_of_nothing(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["decompile", target]) == 2
    assert capsys.readouterr().err.startswith("depyf decompile: ")
