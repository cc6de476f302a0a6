"""What rendered tests draw: seeds as frameworks do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from opgen.ir.op import Op
from opgen.ir.resolve import resolve_op
from opgen.language.scope import Scope
from opgen.source.source_file import SourceFile
from opgen.spec.parse import parse_spec
from opgen.testing.draw import draw
from opgen.testing.environment import Case

HEAD = """
spec = 1
[ops.op]
doc         = "An op."
grad        = "none"
sharding    = "replicate"
outputs.y   = { dtype = "f32", shape = "" }
"""


def resolved(text: str) -> Op:
    spec, found = parse_spec(SourceFile(Path("family.toml"), HEAD + text))
    assert spec is not None, found
    scope = Scope(spec.ops["op"])
    return resolve_op(
        scope, {"op": scope}, family="op", spec="op.toml", sources={}, read=str, read_kernel=str
    )


@pytest.mark.parametrize("said", ["", ', values = "seed >= 0"', ', values = "seed != 3"'])
def test_a_seed_is_one_of_63_bits(said: str) -> None:
    op = resolved(f'inputs.seed = {{ dtype = "i64", shape = "", seed = true{said} }}')
    seeds = [draw(op, Case((), (), seed=n))[0] for n in range(64)]
    assert {(s.shape, s.dtype) for s in seeds} == {((), np.dtype(np.int64))}
    drawn = sorted(map(int, seeds))
    assert len({*drawn}) == 64 and drawn[0] >= 0 and drawn[-1].bit_length() == 63
    assert sum(s >= 2**62 for s in drawn) > 16


def test_a_seed_within_limits() -> None:
    op = resolved('inputs.seed = { dtype = "i64", shape = "", seed = true, values = "seed < 100" }')
    assert all(draw(op, Case((), (), seed=n))[0] < 100 for n in range(16))
