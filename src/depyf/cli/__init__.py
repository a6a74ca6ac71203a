"""The command line: ``depyf COMMAND …``.

Every module of this package that does not begin with an underscore is a command: the first line of its docstring is
its help, ``add_arguments(parser)`` declares what it takes, ``run(args)`` does it and returns the exit status.
"""

from __future__ import annotations

import argparse
import os
import pkgutil
import sys
from importlib import import_module
from types import ModuleType
from typing import Iterator, Optional, Sequence, Tuple

from depyf import __version__

# What a shell reports for a program that SIGPIPE ended.
ENDED_BY_READER = 128 + 13


def commands() -> Iterator[Tuple[str, ModuleType]]:
    """Names and modules of the commands, in alphabetical order."""
    for module in pkgutil.iter_modules(__path__):
        if not module.name.startswith("_"):
            yield module.name.replace("_", "-"), import_module(f"{__name__}.{module.name}")


def parser() -> argparse.ArgumentParser:
    """The parser of all commands; what it parses has the chosen module's ``run`` as an attribute."""
    root = argparse.ArgumentParser(prog="depyf", description="Open the opaque box of torch.compile.")
    root.add_argument("--version", action="version", version=f"depyf {__version__}")
    choices = root.add_subparsers(metavar="COMMAND", dest="command", required=True)
    for name, module in commands():
        summary, _, _ = (module.__doc__ or "").partition("\n")
        choice = choices.add_parser(name, help=summary, description=module.__doc__)
        module.add_arguments(choice)
        choice.set_defaults(run=module.run)
    return root


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run a command and return its exit status.

    Args:
        arguments: the words after ``depyf``; by default those of the process.

    Returns:
        What the command says; 141 where nobody reads its output any more.

    Raises:
        SystemExit: after ``--help`` and ``--version`` (0), and when the words make no command (2).
    """
    args = parser().parse_args(arguments)
    try:
        status: int = args.run(args)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the output has enough, as `head` has; what is still buffered is not worth a complaint at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ENDED_BY_READER
    return status
