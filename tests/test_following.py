"""Ops that only update tensors elementwise run on any part of a tensor that a device holds."""

from __future__ import annotations

import pytest

from opgen.compiler.pipeline import check, parse_all
from opgen.ir.placements import followed
from opgen.source.source_file import SourceFile

SPEC = """\
spec = 1

[ops.step_]
doc          = "An op."
inputs.count = { dtype = "f32", shape = "", update = true, reduce = { m = "same", n = "same" } }
inputs.p     = { dtype = "f32", shape = "m n", update = true }
inputs.dp    = { dtype = "f32", shape = "m n" }
inputs.by    = { dtype = "f32", shape = "k" }
attrs.far    = { type = "bool", default = false }
grad         = "none"
sharding     = { split = ["m", "n"] }
kernels      = ["cpu"]
"""


@pytest.mark.parametrize(
    ("old", "new", "leads"),
    [
        ("", "", "p"),
        ('shape = "m n" }\ninputs.by', 'shape = "n m" }\ninputs.by', None),
        ('shape = "k" }', 'shape = "n" }', None),
        ('["m", "n"] }', '["m"] }', None),
        ('["m", "n"] }', '{ far = ["m", "n"], else = ["n"] } }', None),
        ('{ m = "same", n = "same" }', '{ m = "sum", n = "same" }', None),
        ("grad  ", 'outputs.y = { dtype = "f32", shape = "m n" }\ngrad  ', None),
        ('"m n", update = true', '"m n", update = { far = true, else = false }', None),
    ],
)
def test_the_input_that_others_follow(old: str, new: str, leads: str | None) -> None:
    assert old in SPEC
    specs, found = parse_all({"s.toml": SourceFile("s.toml", SPEC.replace(old, new, 1))})
    assert not [each for each in [*found, *check(specs)] if each.rule != "OG503"]
    assert followed(specs["s.toml"].ops["step_"]) == leads
