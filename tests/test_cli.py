"""The command line as far as it is common to all commands."""

from __future__ import annotations

from pathlib import Path

import pytest

import depyf
from depyf import cli

ECHO = '''"""Say a word.

And do no more than that.
"""


def add_arguments(parser):
    parser.add_argument("word")


def run(args):
    print(args.word)
    return 3
'''


@pytest.fixture
def echo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command ``echo-word`` beside those of the package."""
    (tmp_path / "echo_word.py").write_text(ECHO)
    (tmp_path / "_not_a_command.py").write_text("")
    monkeypatch.setattr(cli, "__path__", [*cli.__path__, str(tmp_path)])


@pytest.mark.usefixtures("echo")
def test_a_file_is_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["echo-word", "hello"]) == 3
    assert capsys.readouterr().out == "hello\n"


@pytest.mark.usefixtures("echo")
def test_help_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        cli.main(["--help"])
    assert leaving.value.code == 0
    text = capsys.readouterr().out
    assert "echo-word" in text
    assert "Say a word.\n" in text
    assert "not" not in text


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["--version"])
    assert capsys.readouterr().out == f"depyf {depyf.__version__}\n"


def test_no_command_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        cli.main([])
    assert leaving.value.code == 2
    assert "usage: depyf" in capsys.readouterr().err


def test_every_command_keeps_to_the_form() -> None:
    for name, module in cli.commands():
        assert module.__doc__, name
        assert callable(module.add_arguments), name
        assert callable(module.run), name
