"""Run a program and write down what torch.compile does in it."""

from __future__ import annotations

import argparse
import runpy
import sys
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own options end where the program's name begins."""
    parser.add_argument(
        "-o", "--out", default="depyf_debug_dir", metavar="DIR", help="where to write (default: %(default)s)"
    )
    parser.add_argument("-m", "--module", action="store_true", help="the program is a module, as in python -m")
    parser.add_argument("program", help="a script, or a module with -m")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="the program's own arguments")


def run(arguments: argparse.Namespace) -> int:
    """The program's exceptions and exit status pass as they are."""
    import depyf

    sys.argv = [arguments.program, *arguments.arguments]
    with depyf.prepare_debug(arguments.out):
        if arguments.module:
            sys.path.insert(0, "")
            runpy.run_module(arguments.program, run_name="__main__", alter_sys=True)
        else:
            sys.path.insert(0, str(Path(arguments.program).resolve().parent))
            runpy.run_path(arguments.program, run_name="__main__")
    return 0
