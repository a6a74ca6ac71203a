"""``depyf show`` and ``depyf check`` on a record, on a machine without torch."""

from __future__ import annotations

import argparse

import pytest

from depyf.cli import check, show
from depyf.record.schema import SCHEMA, Break, Entry, Frame, Session, from_json, to_json

SESSION = Session(
    SCHEMA,
    {"torch": "2.13.0"},
    ("toy.py",),
    None,
    1,
    1.0,
    2.0,
    frames=(
        Frame(
            0,
            "f",
            "C.f",
            "/toy.py",
            3,
            "def f(): ...\n",
            entries=(
                Entry(
                    "0/0",
                    "compiled",
                    breaks=(Break("Data-dependent branching", "/toy.py", 4, hints=("Use torch.cond",)),),
                ),
                Entry("0/1", "compiled", recompile_reasons=("0/0: x is 3",)),
            ),
        ),
    ),
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "depyf.json").write_text(to_json(SESSION))
    return str(tmp_path)


def call(command, *arguments):
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(arguments))


def test_show(folder, capsys):
    assert call(show, folder) == 0
    assert "1 graph break, 1 recompilation" in capsys.readouterr().out
    for name in ("f", "C.f"):
        assert call(show, folder, name) == 0
        assert "C.f: what torch.compile made of it" in capsys.readouterr().out
    assert call(show, folder, "--json") == 0
    assert from_json(capsys.readouterr().out) == SESSION


def test_show_says_what_is_not_there(folder, tmp_path, capsys):
    assert call(show, folder, "g") == 1
    assert "no function g; there is C.f" in capsys.readouterr().err
    assert call(show, str(tmp_path / "nowhere")) == 1
    assert "nowhere" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("limits", "status"),
    [
        ((), 1),
        (("--max-breaks", "1"), 1),
        (("--max-recompiles", "1"), 1),
        (("--max-breaks", "1", "--max-recompiles", "1"), 0),
    ],
)
def test_check(folder, capsys, limits, status):
    assert call(check, folder, *limits) == status
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1 graph break, 1 recompilation"
    told = [
        "/toy.py:4: [0/0] graph break: Data-dependent branching (Use torch.cond)",
        "/toy.py:3: [0/1] C.f compiled again: 0/0: x is 3",
    ]
    assert lines[1:] == (told if status else [])


def test_check_without_a_record(tmp_path, capsys):
    (tmp_path / "depyf.json").write_text("[]")
    assert call(check, str(tmp_path)) == 2
    assert "not a depyf record" in capsys.readouterr().err
