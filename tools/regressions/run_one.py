"""Run the tests of one module and write what became of each: ``run_one.py test.test_grammar RESULT.json``.

A program of its own, which imports nothing that is under test before the tests do.
"""

import doctest
import json
import sys
import unittest


class Recorded(unittest.TestResult):
    """The outcome of every test by name; of its subtests the worst counts."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.outcomes = {}

    def note(self, test, outcome, why=""):
        name = test.id() if "DocTest" not in type(test).__name__ else "doctest " + test.id()
        if self.outcomes.get(name, ("ok", ""))[0] == "ok":
            self.outcomes[name] = (outcome, why)

    def addSuccess(self, test):  # noqa: N802
        self.note(test, "ok")

    def addError(self, test, err):  # noqa: N802
        self.note(test, "error", self._why(err))

    def addFailure(self, test, err):  # noqa: N802
        self.note(test, "failure", self._why(err))

    def addSkip(self, test, reason):  # noqa: N802
        self.note(test, "skipped", reason)

    def addExpectedFailure(self, test, err):  # noqa: N802
        self.note(test, "expected failure")

    def addUnexpectedSuccess(self, test):  # noqa: N802
        self.note(test, "unexpected success")

    def addSubTest(self, test, subtest, err):  # noqa: N802
        if err is not None:
            self.note(test, "failure", self._why(err))

    @staticmethod
    def _why(err):
        return f"{err[0].__name__}: {str(err[1])[-600:]}"


def main():
    name, result_file = sys.argv[1:]
    suite = unittest.defaultTestLoader.loadTestsFromName(name)
    module = sys.modules[name]
    if getattr(module, "__test__", None) and not hasattr(module, "load_tests"):
        # Until 3.10 doctests are run by the module's test_main.
        suite.addTest(doctest.DocTestSuite(module))
    result = Recorded()
    suite.run(result)
    with open(result_file, "w") as file:
        json.dump(result.outcomes, file)


main()
