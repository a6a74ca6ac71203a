"""Which of CPython's tests are run, and which single tests cannot hold for a decompiled module, with the reason.

Names of tests are matched as ``fnmatch`` patterns against ``module:Class.method`` or ``module:doctest``.
"""

from __future__ import annotations

from typing import Dict, NamedTuple, Tuple

# Tests of the language, run from a decompiled test module.
LANGUAGE = (
    "test_grammar", "test_patma", "test_with", "test_generators", "test_genexps", "test_coroutines", "test_asyncgen",
    "test_exceptions", "test_exception_group", "test_except_star", "test_exception_variations",
    "test_named_expressions", "test_unpack", "test_unpack_ex", "test_fstring", "test_tstring", "test_type_params",
    "test_type_aliases", "test_type_annotations", "test_scope", "test_super", "test_class", "test_decorators",
    "test_augassign", "test_compare", "test_dictcomps", "test_listcomps", "test_setcomps", "test_positional_only_arg",
    "test_keywordonlyarg", "test_extcall", "test_global", "test_raise", "test_string_literals", "test_baseexception",
    "test_binop", "test_call", "test_closure", "test_contains", "test_descr", "test_dynamic", "test_enumerate",
    "test_funcattrs", "test_generator_stop", "test_iter", "test_metaclass", "test_opcodes", "test_property",
    "test_richcmp", "test_slice", "test_subclassinit", "test_yield_from", "test_contextlib_async", "test_lambda",
)  # fmt: skip


class Library(NamedTuple):
    """Modules to decompile, and the test that then has to pass."""

    test: str
    modules: Tuple[str, ...]


# Modules of the library, decompiled under their own tests.
LIBRARIES = (
    Library("test_json", ("json", "json.decoder", "json.encoder", "json.scanner", "json.tool")),
    Library("test_dataclasses", ("dataclasses",)),
    Library("test_enum", ("enum",)),
    Library("test_argparse", ("argparse",)),
    Library("test_ast", ("ast",)),
    Library("test_contextlib", ("contextlib",)),
    Library("test_functools", ("functools",)),
    Library("test_textwrap", ("textwrap",)),
    Library("test_configparser", ("configparser",)),
    Library("test_heapq", ("heapq",)),
    Library("test_statistics", ("statistics",)),
    Library("test_fractions", ("fractions",)),
    Library("test_datetime", ("datetime", "_pydatetime")),
    Library("test_shlex", ("shlex",)),
    Library("test_csv", ("csv",)),
    Library("test_copy", ("copy",)),
    Library("test_bisect", ("bisect",)),
    Library("test_difflib", ("difflib",)),
    Library("test_pprint", ("pprint",)),
    Library("test_string", ("string",)),
    Library("test_typing", ("typing",)),
    Library("test_ipaddress", ("ipaddress",)),
    Library("test_optparse", ("optparse",)),
)

LINES = "tests line numbers or positions"
SOURCE = "tests the text of its own source"

# By pattern of the test's name.
LEFT_OUT: Dict[str, str] = {
    "test.test_patma.TestTracing.*": LINES,
    "test.test_exceptions.PEP626Tests.*": LINES,
    "test.test_exceptions.ExceptionTests.testSyntaxErrorOffset": LINES,
    "test.test_exception_group.ExceptionGroupFields.test_basics_ExceptionGroup_fields": LINES,
    "test.test_exception_group.NestedExceptionGroupBasicsTest.test_*traceback*": LINES,
    "test.test_exception_group.NestedExceptionGroupBasicsTest.test_iteration_full_tracebacks": LINES,
    "test.test_with.NestedWith.testExceptionLocation": LINES,
    "test.test_coroutines.OriginTrackingTest.test_origin_tracking_warning": SOURCE,
    "test.test_contextlib*.test_contextmanager_traceback": SOURCE,
    "test.test_contextlib*.test_exit_exception_traceback": SOURCE,
}
