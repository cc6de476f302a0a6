"""`like`: the keys that an op inherits from another op, and the keys that it overrides."""

from __future__ import annotations

from typing import Any

import pytest

from opgen.spec.inheritance import merge

BASE = {
    "inputs": {"x": {"dtype": "T", "shape": "*batch d"}, "weight": {"dtype": "T", "shape": "d"}},
    "sharding": {"split": ["batch"], "stages": {"d": ["f_sums"]}},
    "grad": {"backward": "f_bwd", "saves": ["x"]},
    "kernels": {"cpu": {"symbol": "f"}, "cuda": {"symbol": "f"}},
}


@pytest.mark.parametrize(
    "own, expected",
    [
        ({"inputs": {"weight": {"shape": "n"}}}, {"weight": {"dtype": "T", "shape": "n"}}),
        ({"inputs": {"weight": False}}, {"weight": None}),
        ({"sharding": {"stages": {"d": ["g"]}}}, {"split": ["batch"], "stages": {"d": ["g"]}}),
        ({"sharding": {"split": ["d"]}}, {"split": ["d"], "stages": {"d": ["f_sums"]}}),
        ({"sharding": "replicate"}, "replicate"),
        ({"sharding": False}, None),
        ({"grad": {"backward": "g_bwd"}}, {"backward": "g_bwd", "saves": None}),
        ({"kernels": {"cpu": {"symbol": "g"}}}, {"cpu": {"symbol": "g"}, "cuda": None}),
    ],
)
def test_what_an_op_says_lies_over_what_it_takes(own: Any, expected: Any) -> None:
    (key,) = own
    merged = merge(BASE, own).get(key)
    if not isinstance(expected, dict):
        assert merged == expected
        return
    assert {name: merged.get(name) for name in expected} == expected
    others = {other: table for other, table in BASE.items() if other != key}
    assert merge(BASE, own).items() >= others.items()
