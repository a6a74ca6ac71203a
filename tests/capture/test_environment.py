"""DEPYF_DIR: programs that know nothing of depyf."""

from __future__ import annotations

import pytest
from dump import SOURCES, check, run

from depyf.capture import seams
from depyf.record.schema import from_json

# What the installed package does with its .pth file; a checkout on PYTHONPATH has no site directory.
SITE = f"import site; site.addsitedir({str(SOURCES)!r})\n"

PROGRAM = """
import multiprocessing, os, sys
import torch

def compiles():
    print(torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2)).tolist())

def compiles_nothing():
    import torch._dynamo

if __name__ == "__main__":
    os.chdir("elsewhere")
    compiles()
    for target in (compiles, compiles_nothing):
        child = multiprocessing.get_context("spawn").Process(target=target)
        child.start()
        child.join()
    sys.exit(3)
"""

INDUCTOR = """
import torch
print(torch.compile(lambda x: x.sin() + 1)(torch.zeros(2)).tolist())
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(SITE)
    (tmp_path / "elsewhere").mkdir()
    return tmp_path


def started(program, folder, **environment):
    return run(program, folder, dump=False, PYTHONPATH=str(folder), **environment)


def test_a_program_and_its_children(folder):
    done = started(PROGRAM, folder, DEPYF_DIR="dump")
    assert (done.returncode, done.stdout) == (3, "[2.0, 2.0]\n[2.0, 2.0]\n"), done.stderr
    # The folder is meant from where the program was started; only children that compile have one of their own.
    below = {path.name for path in (folder / "dump").iterdir() if path.is_dir()}
    assert below == (set() if seams.COMPILE_CALLBACKS.find() is None else {"process_1"})
    for path in {folder / "dump", *(folder / "dump" / name for name in below)}:
        session = from_json((path / "depyf.json").read_text())
        assert session.finished and len(session.frames) == 1


@pytest.mark.parametrize("directory", ["dump", "file/dump"])
def test_workers_of_inductor_leave_nothing_and_no_folder_is_said(directory, folder):
    (folder / "file").write_text("mine")
    done = started(INDUCTOR, folder, DEPYF_DIR=directory)
    assert (done.returncode, done.stdout) == (0, "[1.0, 1.0]\n"), done.stderr
    if directory == "dump":
        assert len(check(folder / "dump").frames) == 1 and "DEPYF_DIR" not in done.stderr
    else:
        assert "DEPYF_DIR" in done.stderr and "nothing is written" in done.stderr


def test_a_program_without_torch_compile_writes_nothing(folder):
    done = started("import torch, sys\nprint('depyf.capture' in sys.modules)\n", folder, DEPYF_DIR="dump")
    assert (done.returncode, done.stdout) == (0, "False\n") and not (folder / "dump").exists()


def test_nothing_is_imported_without_the_variable(folder):
    done = started("import sys\nprint('depyf' in sys.modules)\n", folder)
    assert done.stdout == "False\n"
