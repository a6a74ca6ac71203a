"""Code objects harvested from Dynamo: they are printed, compiled, proved, and leave the same record when they run.

``tools/harvest.py`` made the files, which the Python that their names say can read: what Dynamo put in the place of
frames, and the resume functions that it started from.
"""

import pytest
from harvested import CORPUS, OLDER, RESUMED
from tracing import difference

from depyf.decompiler.lift.dataflow.driver import decompile_dataflow
from depyf.decompiler.refusals import Refused
from depyf.decompiler.verify.symbolic import verify_symbolic
from depyf.decompiler.verify.verdict import Certificate

pytestmark = pytest.mark.skipif(not CORPUS, reason="nothing was harvested on this Python")


def test_everything_that_dynamo_wrote_is_proved():
    refused = []
    for number, (program, code) in enumerate(CORPUS):
        try:
            proved = decompile_dataflow(code)
        except Refused as error:
            refused.append((number, program, str(error)))
        else:
            # torch until 2.4 looks for every local of the frame.
            made = proved.code
            assert {*code.co_varnames} <= {*made.co_varnames, *made.co_cellvars, *made.co_freevars}
            assert made.co_nlocals == len(made.co_varnames)
    assert refused == []


def test_resume_functions_are_proved():
    refused = []
    for number, (program, code) in enumerate(RESUMED):
        try:
            decompile_dataflow(code)
        except Refused as error:
            refused.append((number, program, str(error)))
    # A class, half of an f-string on the stack, and two ways through nested `with` statements.
    assert len(refused) <= 4, refused


@pytest.mark.parametrize(("corpus", "step"), [(CORPUS, 5), (RESUMED, 3)], ids=["transformed", "resumed"])
def test_proved_code_leaves_the_same_record(corpus, step):
    """An independent judge: CPython runs both."""
    for number, (program, code) in enumerate(corpus[::step]):
        try:
            proved = decompile_dataflow(code)
        except Refused:
            continue
        assert difference(code, proved.code, seeds=3) is None, (number * step, program)


def test_an_iterator_that_is_no_loops_is_made_by_the_constant_iter():
    proofs = [(code, decompile_dataflow(code)) for program, code in OLDER if program == "iterators_and_zip"]
    needed = [(code, proved.code) for code, proved in proofs if "R-ITER" in proved.certificate.rules]
    assert needed
    for original, made in needed:
        assert isinstance(verify_symbolic(original, made), Certificate)
        others = made.replace(co_consts=tuple(reversed if value is iter else value for value in made.co_consts))
        assert not isinstance(verify_symbolic(original, others), Certificate)
