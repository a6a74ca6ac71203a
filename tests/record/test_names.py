from __future__ import annotations

import re

import pytest

from depyf.record.names import LONGEST_NAME, is_graph_name, safe_name, without_addresses, without_uuid


@pytest.mark.parametrize(("name", "safe"), [("forward", "forward"), ("<lambda>", "lambda"), ("_x1", "_x1")])
def test_plain_names_stay(name, safe):
    assert safe_name(name) == safe


@pytest.mark.parametrize("name", ["größe", "a.b", "a/b", "..", "", "con ", "x" * 300, "\udc80", "<a b>"])
def test_odd_names_become_portable_and_stay_apart(name):
    assert re.fullmatch(r"[A-Za-z0-9_]+", safe_name(name)) and len(safe_name(name)) <= LONGEST_NAME
    assert safe_name(name) != safe_name(name + "é")


def test_graph_names_lose_their_uuid():
    name = "__compiled_fn_12_98e0105b_b4f3_4461_bc00_e0dfc70093a7"
    assert without_uuid(f"return {name}(x)") == "return __compiled_fn_12(x)"
    assert is_graph_name(name) and is_graph_name("__compiled_fn_0") and not is_graph_name("compiled_fn_0")


def test_addresses_go_and_numbers_stay():
    assert without_addresses("<f at 0x7f9d75f923f0> 0xff") == "<f at 0x...> 0xff"
