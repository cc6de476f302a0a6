"""The ops on DTensors compared with PyTorch's own: right values, and no more bytes moved.

Bytes are compared for placements that both support.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import generated
from opgen.testing import cases, load, torch_sharding
from opgen.testing.rows import table
from tests.torch import dtensor_native

TESTS = Path(generated.__file__).parent / "tests"
OPS = ("embedding", "rms_norm", "adamw_", "cross_entropy", "layer_norm", "silu_and_mul")
# The bytes of a mean's count, over each mesh dim. PyTorch assumes that all shards have the same
# count.
COUNT = {"cross_entropy": 8}


@pytest.mark.slow
@pytest.mark.parametrize("op", OPS)
def test_no_more_bytes_than_native(op):
    file = str(TESTS / "test_ops.py")
    subject = load(file, op, package="generated", namespace="generated")
    native = getattr(dtensor_native, op)
    found = torch_sharding.rows(subject, cases(subject.op), 4, native)
    print(table(found, "native"), *(row for row in found if row.verdict), sep="\n")
    assert not [str(row) for row in found if row.wrong or row.error]
    more = [row for row in found if torch_sharding.broken(subject, row)]
    assert not [str(row) for row in more if row.ours > row.plain + COUNT.get(op, 0)]
