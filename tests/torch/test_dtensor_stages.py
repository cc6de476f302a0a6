"""Ops stay split along a dim that their own kernels need whole: values, bytes and placements."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import prod
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from torch.distributed.tensor import Partial, Replicate, Shard
from torch.distributed.tensor._dtensor_spec import DTensorSpec, TensorMeta

import generated.torch
from generated._opgen.torch.call import CALLS
from generated._opgen.torch.costs import COLLECTIVE, cost_between
from generated._opgen.torch.problem import Problem
from generated._opgen.torch.splitting import ways
from opgen.testing import cases, load, torch_sharding
from opgen.testing.gloo import everywhere
from opgen.testing.rows import Row
from opgen.testing.torch_placements import Placement
from opgen.testing.torch_sharding import rows
from tests.torch.dtensor_stages import Case, told

LINE, SQUARE = (4,), (2, 2)
NORMS = [
    Case(op, sizes, mesh, (x, *[weight] * count), x)
    for op, count in (("rms_norm", 1), ("layer_norm", 2), ("layer_norm", 0))
    for sizes, mesh, x, weight in (
        ((8, 32), LINE, "1", "0"),
        ((8, 30), LINE, "1", "0"),
        ((8, 13), LINE, "1", "0"),  # shards of 4, 4, 4 and 1
        ((8, 9), LINE, "1", "0"),  # shards of 3, 3, 3 and 0
        ((6, 4, 8), LINE, "2", "1"),  # one of two dims
        ((7, 30), SQUARE, "01", "-0"),
        ((7, 30), SQUARE, "11", "00"),
    )
    if count or op == "layer_norm" and len(sizes) == 2
]
LOSSES = [
    Case(
        "cross_entropy",
        sizes,
        mesh,
        placed,
        "-" * len(mesh),
        attrs,
        "label_smoothing" not in attrs and sizes[1] > 9,
    )
    for sizes, mesh, placed in (
        ((8, 32), LINE, ("1", "-")),
        ((7, 30), LINE, ("1", "-")),
        ((7, 13), LINE, ("1", "-")),
        ((7, 9), LINE, ("1", "-")),
        ((7, 30), SQUARE, ("01", "0-")),
        ((7, 30), SQUARE, ("-1", "--")),
    )
    for attrs in ({}, {"reduction": "sum"}, {"reduction": "none"}, {"label_smoothing": 0.1})
]
LOSSES += [
    replace(
        case,
        op=f"{kind}_cross_entropy",
        placed=(case.placed[0], case.placed[kind == "weighted"]),
        # `loss_parallel` needs no sum of the target, and takes labels only.
        native=kind == "soft",
    )
    for kind in ("soft", "weighted")
    for case in (*LOSSES[1:4], *LOSSES[16:18])
]
VOCABULARIES = [
    Case("linear_cross_entropy", sizes, mesh, placed, result, attrs, sizes[2] > 9)
    for sizes, mesh, placed, result in (
        ((8, 17, 32), LINE, ("-", "0", "-"), "-"),
        ((7, 50, 13), LINE, ("-", "0", "-"), "-"),  # shards of 4, 4, 4 and 1
        ((7, 50, 9), LINE, ("-", "0", "-"), "-"),  # shards of 3, 3, 3 and 0
        ((7, 16, 30), SQUARE, ("0-", "-0", "0-"), "--"),
        ((7, 16, 30), SQUARE, ("--", "-0", "--"), "--"),
    )
    for attrs in ({}, {"reduction": "sum"}, {"reduction": "none"})
]
VOCABULARIES += [replace(case, dtype=torch.bfloat16) for case in VOCABULARIES[::3]]
TABLES = [
    Case("embedding", sizes, mesh, placed, result, attrs)
    for sizes, mesh, placed, result in (
        ((64, 8), LINE, ("0", "-"), "-"),
        ((64, 8), LINE, ("0", "-"), "0"),  # the result is scattered
        ((62, 8), LINE, ("0", "-"), "-"),
        ((64, 8), SQUARE, ("01", "--"), "-2"),
        ((64, 8), SQUARE, ("0-", "-0"), "-0"),
    )
    for attrs in ({}, {"padding_idx": 3})
]


@pytest.mark.parametrize("case", [*NORMS, *LOSSES, *VOCABULARIES, *TABLES], ids=str)
def test_a_split_dim_stays_split(case):
    """A split dim stays split, without a gather and with no more bytes than PyTorch's own."""
    for found in everywhere(4, told, case):
        assert isinstance(found, dict), found
        assert found["error"] < (2e-6 if case.dtype == torch.float32 else 4e-3)
        assert {*found["calls"]} <= {"all_reduce"}
        assert found["native"] is None or found["ours"] <= found["native"]
        if case.op in ("rms_norm", "layer_norm"):
            assert found["where"] == case.result
        if case.op == "embedding":
            assert found["where"][0] == "+"


@pytest.mark.slow
@pytest.mark.parametrize("case", [NORMS[0], NORMS[7], LOSSES[0], TABLES[0]], ids=str)
def test_compiled(case):
    for found in everywhere(4, told, case, True):
        assert isinstance(found, dict), found
        assert found["error"] < 2e-6


def test_what_is_small_is_gathered():
    """A small operand is gathered: two classes of a row have fewer bytes than three sums of it."""
    small = Case("cross_entropy", (8, 4), LINE, ("1", "-"), "-")
    for found in everywhere(4, told, small):
        assert isinstance(found, dict), found
        assert found["calls"] == ["all_gather_into_tensor"] and found["error"] < 2e-6


@pytest.mark.parametrize(
    "op, placed, small",
    [
        # The small `ids` are gathered; the rows stay where the columns of `x` are.
        ("moe_permute", ((1,), (0,)), False),
        # The few rows of `dy` are summed and gathered, so no table is left to reduce.
        ("embedding_bwd", (("+",), ("-",)), True),
    ],
)
def test_inputs_that_are_split_differently(op, placed, small):
    tests = Path(generated.__file__).parent / "tests" / "test_ops.py"
    subject = load(str(tests), op, package="generated", namespace="generated")
    one = Placement((4,), placed, ("d", "t"), alike=False)
    given = cases(subject.op)
    found = rows(subject, given, 4, chosen=lambda _, case, mesh: [one] * (mesh == (4,)))
    for row in [row for row in found if row.what == "forward"] if small else found:
        assert row.plain is not None and row.ours <= row.plain, row


@pytest.mark.parametrize("dtype", ["f64", "bf16"])
@pytest.mark.parametrize(
    "op, mesh, placed",
    [
        ("moe_unpermute_wgrad", (2,), (("-",), ("-",), ("+",))),
        ("moe_unpermute_wgrad", (2, 2), (("-", 1), ("-", "-"), ("+", 1))),
        ("embedding_bwd", (2, 2), (("+", 0), ("-", 0))),
    ],
)
def test_partial_gradients_are_not_reduced_before_a_backward(op, mesh, placed, dtype):
    tests = Path(generated.__file__).parent / "tests" / "test_ops.py"
    subject = load(str(tests), op, package="generated", namespace="generated")
    one = Placement(mesh, placed, (), alike=False)
    for case in torch_sharding._cases(subject, cases(subject.op)):
        dtypes = tuple((n, dtype if n == "T" else each) for n, each in case.dtypes)
        work = [Row(op, "", replace(case, dtypes=dtypes), one)]
        for row, *_ in everywhere(prod(mesh), torch_sharding._measured, subject, work, None):
            assert not row.error and not row.wrong, row
            assert row.plain is not None and row.ours <= row.plain, row
            assert row.before[0] == 0 or op == "embedding_bwd", row


WHOLE, PART = Replicate(), Partial()


@pytest.mark.parametrize(
    "before, after, device, bytes, collectives",
    [
        ([Shard(0)], [WHOLE], "cuda", 96, 1),  # 8 x 4 floats
        ([Shard(0)], [Shard(1)], "cuda", 24, 1),
        ([Shard(0)], [Shard(1)], "cpu", 96, 1),  # by a gather
        ([PART], [WHOLE], "cuda", 192, 1),
        ([PART], [Shard(1)], "cuda", 96, 1),
        ([WHOLE], [Shard(0)], "cuda", 0, 0),
        ([Shard(0), Shard(0)], [Shard(0), WHOLE], "cuda", 32, 1),
        ([Shard(0), Shard(0)], [WHOLE, Shard(0)], "cuda", 32 + 64, 2),  # both splits, then a part
        ([Shard(0), Shard(1)], [WHOLE, WHOLE], "cuda", 32 + 64, 2),
    ],
    ids=str,
)
def test_what_a_placement_costs(before, after, device, bytes, collectives):
    counts = (4,) if len(before) == 1 else (2, 2)
    mesh = SimpleNamespace(shape=counts, ndim=len(counts), device_type=device)
    cost = cost_between((8, 4), 4, mesh, before, after)
    assert cost == bytes + collectives * COLLECTIVE


def test_shards_that_are_not_equal_send_as_much_as_the_largest():
    mesh = SimpleNamespace(shape=(4,), ndim=1, device_type="cuda")
    cost = cost_between((5,), 4, mesh, [Shard(0)], [WHOLE])
    assert cost == 3 * 2 * 4 + COLLECTIVE


def spec(mesh, placements, *shape, **dtype):
    x = torch.empty(shape, device="meta", **dtype)
    return DTensorSpec(mesh, placements, tensor_meta=TensorMeta(x.shape, x.stride(), x.dtype))


def costs(op, mesh, *given):
    """Return the bytes that each way to split a call moves, by the placements of the first result."""
    problem = Problem.of(CALLS[op], CALLS[op].bind(given, {}), mesh)
    return {next(iter(way.results.values())): way.cost // 1 for way in ways(problem)}


def test_the_cost_of_a_way_includes_the_reduction_of_a_partial_result():
    """Rows that remain a sum are not moved, but leave a sum of tables of 1,024 rows."""
    mesh = SimpleNamespace(shape=(4,), ndim=1, device_type="cuda")
    rows, indices = spec(mesh, (PART,), 4, 16), spec(mesh, (WHOLE,), 4, dtype=torch.int64)
    scattered, table = 4 * 16 * 4 * 3 / 4, 1024 * 16 * 4 * 3 / 4
    found = costs("embedding_bwd", mesh, rows, indices, 1024)
    assert found == {
        (WHOLE,): 2 * scattered,
        (Shard(1),): scattered,
        (PART,): 2 * table,
    }


AVG, MAX = Partial("avg"), Partial("max")


@pytest.mark.parametrize(
    "op, placed, kept",
    [
        ("rotary", (PART, WHOLE, WHOLE, PART), {PART}),
        ("rotary", (PART, WHOLE, WHOLE, None), {PART}),
        ("rotary", (AVG, WHOLE, WHOLE, AVG), {AVG}),
        ("rotary", (PART, WHOLE, WHOLE, AVG), set()),
        ("rotary", (PART, WHOLE, WHOLE, WHOLE), set()),
        ("rotary", (MAX, WHOLE, WHOLE, MAX), set()),
        ("rotary", (PART, WHOLE, PART, PART), {PART}),  # the angles are reduced
        ("conv2d", (WHOLE, PART, PART), {PART}),
        ("conv2d", (WHOLE, PART, WHOLE), set()),  # the bias would be added by each process
        ("conv2d", (PART, WHOLE, WHOLE), set()),
        ("silu_and_mul", (PART,), set()),
    ],
)
def test_results_remain_partial_only_if_they_are_linear(op, placed, kept):
    mesh = SimpleNamespace(shape=(4,), ndim=1, device_type="cuda")
    shapes = {
        "rotary": ((2, 8, 4, 16), (8,), (8, 16), (2, 8, 2, 16)),
        "conv2d": ((4, 4, 8, 8), (4, 4, 3, 3), (4,)),
        "silu_and_mul": ((4, 8),),
    }
    given = [
        at and spec(mesh, (at,), *shape, **{"dtype": torch.int64} if shape == (8,) else {})
        for at, shape in zip(placed, shapes[op])
    ]
    assert {at for (at,) in costs(op, mesh, *given) if at.is_partial()} == kept


def test_a_result_may_keep_the_split_of_any_input():
    """`gate` and `up` split different dims of the group `*s`. Only `gate` moves, by one exchange."""
    mesh = SimpleNamespace(shape=(2, 2), ndim=2, device_type="cuda")
    gate, up = spec(mesh, (Shard(0), WHOLE), 8, 64), spec(mesh, (Shard(1), Shard(0)), 8, 64)
    found = costs("geglu", mesh, gate, up)
    assert found[Shard(1), Shard(0)] == min(found.values()) == 8 * 64 * 4 / 2 / 2


def test_an_op_that_rejects_empty_shards_is_not_split_into_them():
    """DTensor calls this op on each shard, and three of four processes would have no class."""
    mesh = SimpleNamespace(shape=(4,), ndim=1, device_type="cuda")
    whole, split = partial(spec, mesh, (WHOLE,)), spec(mesh, (Shard(1),), 8, 1)
    rows = [whole(8)] * 3
    found = costs("soft_cross_entropy_bwd_part", mesh, whole(), split, split, *rows, None, 6, 7)
    assert {*found} == {(WHOLE,), (Shard(0),)}
