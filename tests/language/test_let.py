"""Named conditions of `let` are expanded in every key that holds an expression."""

from __future__ import annotations

from typing import Any

import pytest

from opgen.spec.models.ops import OpSpec
from opgen.spec.models.reading import written_out

LETS = {"wide": "present(mask)"}
TEXT, WHOLE = "8 if wide else 16", "8 if (present(mask)) else 16"


@pytest.mark.parametrize(
    "table",
    [
        lambda text: {"outputs": {"y": {"init": text}}},
        lambda text: {
            "kernels": [
                {
                    "on": "cuda",
                    "grid": [1, text],
                    "triton": {"constexpr": {"N": text, "B": {text: [1]}}},
                }
            ]
        },
        lambda text: {"kernels": ["cpu", {"on": "cpu", "require": [text]}]},
        lambda text: {"attrs": {"by": {"type": "int", "default": text}}},
        lambda text: {"dims": {"n": {text: text, "else": "1"}, "m": {"fn": "wide.py:wide"}}},
        lambda text: {"grad": {text: {"formulas": {"x": text}}, "else": "none"}},
        lambda text: {"require": [{text: "wide"}]},
    ],
)
def test_an_expression_is_written_out(table: Any) -> None:
    assert written_out(OpSpec, table(TEXT), LETS) == table(WHOLE)


def test_other_texts_stay() -> None:
    table = {"doc": "wide", "attrs": {"mode": {"type": "str", "default": "wide"}}}
    assert written_out(OpSpec, table, LETS) == table
