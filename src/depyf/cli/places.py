"""Print what torch.compile made of a line, or what a line was made of. Needs no torch.

``depyf places dump model.py:42`` lists the user's line, the lines of transformed code, the operations of graphs and the
calls of kernels that belong together; the line may be one of any of these.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from depyf.debugger.places import places
from depyf.record.schema import RecordError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A directory, and a line."""
    parser.add_argument("directory", type=Path, help="a directory that prepare_debug wrote")
    parser.add_argument("place", metavar="FILE:LINE", help="a line of the program, or of a file in the directory")


def run(arguments: argparse.Namespace) -> int:
    """1 when nothing belongs to the line; 2 when there is no such record or the place is none."""
    try:
        found = places(arguments.directory, arguments.place)
    except (OSError, ValueError, RecordError) as error:
        sys.stderr.write(f"depyf places: {error}\n")
        return 2
    sys.stdout.writelines(f"{place}\n" for place in found)
    return int(not found)
