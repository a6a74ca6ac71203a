"""What is said of a guard by its form is what is said of it alone. Needs no torch."""

from __future__ import annotations

import pytest

from depyf.capture.guard_code import Identities, Leaf, expression
from depyf.capture.guard_forms import Forms
from depyf.capture.guard_words import words
from depyf.capture.guards import guards_from_tree

PATHS = (
    "L['x']",
    "L['self']._modules['fc']._parameters['weight']",
    "L['self']._modules['fc']._modules",
    "G['torch'].nn",
    "L['xs'][3].items",
)
FORMS = (
    ("LENGTH_CHECK", "len({}) == 2", "list"),
    ("EQUALS_MATCH", "{} == 3", "int"),
    ("EQUALS_MATCH", "{} == <object object at 0x7f0012>", "object"),
    ("EQUALS_MATCH", "{}['key'] == 3", "dict"),
    ("TRUE_MATCH", "{} == True", "bool"),
    ("DICT_CONTAINS", "not ___dict_contains('forward', {}.__dict__)", "dict"),
    ("LAMBDA_GUARD", "{}.size()[0] == __import_torch_dot_nn.size", "torch.Tensor"),
    ("TENSOR_SUBCLASS_METADATA_MATCH", "___check_metadata_12({})", "torch.Tensor"),
)


@pytest.mark.parametrize(("kind", "text", "type_name"), FORMS)
def test_a_form_says_what_each_guard_says(kind, text, type_name):
    identities = Identities()
    forms = Forms(identities)
    for path in PATHS:
        leaf = Leaf(kind, text.format(path), path, type_name, path)
        alone = Identities(texts=list(identities.texts))
        expected = (words(leaf), expression(leaf, alone), alone.texts)
        said = forms.said(leaf)
        assert (said.words, said.python, identities.texts) == expected
        assert "__value__" not in "".join(filter(None, said))


def test_guards_on_one_object_share_its_place():
    identities = Identities()
    forms = Forms(identities)
    paths = ("L['a']", "L['b']", "L['c']")
    texts = (f"___check_type_id({path}, {number}), type=<class 'T'>" for path, number in zip(paths, (71, 72, 71)))
    said = [forms.said(Leaf("TYPE_MATCH", text, path, "T", path)) for path, text in zip(paths, texts)]
    assert [each.python for each in said] == [
        "check.is_type(L['a'], 0)",
        "check.is_type(L['b'], 1)",
        "check.is_type(L['c'], 0)",
    ]
    assert identities.numbers == [71, 72]


def test_the_marks_that_a_tensor_has_not_are_one_guard():
    marks = [f"hasattr(L['{name}'], '_dynamo_{mark}') == False" for name in "ab" for mark in ("dynamic", "static")]
    other = "L['b']._dynamo_dynamic == {0}"
    managers = {
        name: f"| +- GuardManager: source=L['{name}'], accessed_by=X, type=<class 'T'>, tag_safe=(False, False)\n"
        for name in "ab"
    }
    leaf = "| | +- DIMENSION_DYNAMIC_MARKING_GUARD: {}  # x = a / 2  # me/toy.py:7 in toy\n"
    tree = "".join(
        managers[name] + "".join(leaf.format(text) for text in (*marks, other) if f"L['{name}']" in text)
        for name in "ab"
    )
    guards = guards_from_tree(tree, "/home/me/toy.py")
    assert [guard.python for guard in guards] == [" and ".join(marks[:2]), " and ".join(marks[2:]), other]
    assert all(guard.about_torch for guard in guards)
