from __future__ import annotations

import dataclasses
import typing

import pytest

from depyf.record import schema
from depyf.record.schema import (
    Break,
    Certificate,
    Computation,
    Entry,
    Frame,
    Graph,
    Guard,
    Kernel,
    Recompile,
    RecordError,
    Resume,
    Session,
    Stage,
    Symbol,
)

COMPUTATION = Computation("c", 9, ("add",), ("/a.py:3",))
FULL = Session(
    schema=schema.SCHEMA,
    versions={"torch": "2.13.0"},
    command=("toy.py", "-v"),
    rank=1,
    pid=7,
    started=1.5,
    finished=2.5,
    missing=("This torch has no x: y.",),
    failures=(schema.Failure("reading", "ValueError: é \u2028", 2),),
    files=("depyf.json",),
    frames=(
        Frame(
            0,
            "f",
            "C.f",
            "/a.py",
            3,
            "def f(): ...\n",
            None,
            "full_code_for_f_0.py",
            "g.txt",
            entries=(
                Entry(
                    "0/0",
                    "compiled",
                    guards=(Guard("ID_MATCH", "t", "w", "L['x']", "/a.py:3", "x", True, "x is y"),),
                    transformed_file="t.py",
                    transformed_source="def f(): ...\n",
                    read_as="def f():  ...\n",
                    certificate=Certificate("exact", ("A",)),
                    graph=Graph(
                        "g",
                        "g_1",
                        (Stage("K", "s.py", "e", 2, (("x", "f32[]"),)),),
                        (
                            Kernel(
                                "k.py",
                                "cpp",
                                ((3, "add"),),
                                "/tmp/k.py",
                                (Computation("c", 9, ("add",), ("/a.py:3",)),),
                            ),
                        ),
                        ("a cache",),
                        "def g(): ...",
                    ),
                    resumes=(Resume("__resume_at_1_2", 1), Resume("__resume_at_3_4")),
                    recompile_reasons=("0/0: x",),
                    breaks=(Break("r", "/a.py", 4, "e", ("h",), "https://x", "x()", "GB0001", ("a.py:4 in f",), "t"),),
                    side_effects=("L['l']",),
                    times={"compile": 0.5},
                    recompiles=(Recompile("0/0", "w", "x", "size 0", "1", "2", "/a.py:3", "x", "do not"),),
                    symbols=(Symbol("s1", "x.shape[0]", "4", "2", "9", "4", "/a.py:3", "x"),),
                    earlier=True,
                ),
                Entry("0/1", "failed", "no", refusal="why not"),
            ),
            arguments="a, *, k",
        ),
        Frame(1, "r", "r", "/a.py", 4, resumes=0),
    ),
)


def test_a_record_comes_back_as_it_was_written():
    text = schema.to_json(FULL)
    assert schema.from_json(text) == FULL
    assert schema.to_json(schema.from_json(text)) == text


def test_every_field_is_used_above():
    """A field that the round trip does not meet would be an untested field."""
    used: dict = {}

    def walk(value):
        if dataclasses.is_dataclass(value):
            for field in dataclasses.fields(value):
                used.setdefault((type(value), field.name), []).append(getattr(value, field.name))
                walk(getattr(value, field.name))
        elif isinstance(value, tuple):
            for each in value:
                walk(each)

    walk(FULL)
    classes = [each for each in vars(schema).values() if dataclasses.is_dataclass(each)]
    assert {cls for cls, _ in used} == set(typing.cast(typing.List[type], classes))
    for (cls, name), values in used.items():
        assert any(value not in (None, (), {}) for value in values), (cls.__name__, name)


def test_what_is_already_encoded_is_not_encoded_again():
    seen: dict = {}
    text = schema.to_json(FULL, seen)
    assert len(seen) == 4 and schema.to_json(FULL, seen) == text == schema.to_json(FULL)


def test_unknown_fields_of_a_later_version_are_ignored():
    text = schema.to_json(FULL).replace('"schema": 1,', '"schema": 1, "later": [1],', 1)
    assert schema.from_json(text) == FULL


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not a depyf record"),
        ("[]", "no schema number"),
        ("{}", "no schema number"),
        ('{"schema": 1}', "not a depyf record"),
        ('{"schema": 1, "frames": 3}', "not a depyf record"),
        ('{"schema": 99}', "newer than 1"),
    ],
)
def test_what_is_no_record_is_refused(text, words):
    with pytest.raises(RecordError, match=words):
        schema.from_json(text)


def test_a_frame_by_its_number():
    assert FULL.frame(1).name == "r"
    with pytest.raises(KeyError):
        FULL.frame(2)
