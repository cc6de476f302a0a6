"""The CUDA kernels against their references, at sizes that reach every path in the kernels.

The tests run on the GPU if there is one. `tests/runtime/test_cuda_emulation.py` runs them on the
host. There `OPGEN_KERNELS_ON` is `cpu`, and the package holds emulated CUDA kernels.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from opgen.language.dtypes import DTYPES
from opgen.testing import load, oracle, torch_checks
from opgen.testing.arrays import flat, from_torch, mapped, named, to_torch
from opgen.testing.cases import cases, dtype_rows
from opgen.testing.devices import DRIVER
from opgen.testing.draw import draw, draw_cotangents
from opgen.testing.environment import Case, holds, numpy_dtype
from opgen.testing.op_under_test import OpUnderTest

DEVICE = os.environ.get("OPGEN_KERNELS_ON", "cuda")
if DEVICE == "cuda" and not (DRIVER.exists() and torch.cuda.is_available()):
    pytest.skip("there is no GPU", allow_module_level=True)
pytestmark = pytest.mark.gpu
PACKAGE = Path(os.environ.get("OPGEN_PACKAGE", Path(__file__).parents[2] / "generated"))

NAMES = {numpy_dtype(name): name for name in oracle.EPS}

# Rows that share a warp, that use several warps or the whole block, that do not fit into registers,
# and that cannot be moved in units of 16 bytes; few rows and many rows.
ROWS = [
    (1, 64),
    (9, 256),
    (300, 128),
    (5, 1000),
    (3, 4096),
    (2, 20480),
    (2, 33000),
    (70, 33),
    (3, 1025),
]
ELEMENTWISE = [(1,), (4099,), (70000,)]
# By op: sizes and attrs that select other code paths, in addition to those of the rendered tests.
EXTRA: dict[str, list[dict]] = {
    "relu": [{"s": s} for s in ELEMENTWISE],
    "tensor_negate": [{"s": s} for s in ELEMENTWISE],
    "tensor_add": [{"m": 3, "n": n} for (n,) in ELEMENTWISE],
    "rms_norm": [{"batch": (m,), "norm": (n,)} for m, n in ROWS],
    "layer_norm": [{"batch": (m,), "normalized_shape": (n,)} for m, n in ROWS],
    "rms_layer_norm": [
        {"batch": (m,), "normalized_shape": (n,), "offset": offset}
        for (m, n), offset in zip(ROWS, [0.0, 1.0] * 5)
    ],
    "silu_and_mul": [{"batch": (m,), "d": n} for m, n in ROWS],
    "gelu_and_mul": [
        {"batch": (m,), "d": n, "approximate": how}
        for (m, n), how in zip(ROWS, ["none", "tanh"] * 5)
    ],
    "swiglu": [{"s": s} for s in ELEMENTWISE],
    "geglu": [{"s": s, "approximate": how} for s in ELEMENTWISE for how in ("none", "tanh")],
    "cross_entropy": [
        {"batch": (m,), "c": n, "reduction": how, "label_smoothing": smoothing}
        for (m, n), how, smoothing in zip(ROWS, ["mean", "sum", "none"] * 3, [0.0, 0.1] * 5)
    ],
    # Threads that share a position, and threads with several positions each.
    "weighted_cross_entropy": [
        {"batch": (m,), "c": n, "reduction": how, "label_smoothing": smoothing}
        for (m, n), how, smoothing in zip(ROWS[::2], ["mean", "sum", "none"] * 2, [0.0, 0.1] * 3)
    ]
    + [
        {"n": 3, "c": c, "d": d, "classes": "second", "label_smoothing": 0.1, "reduction": how}
        for c, d, how in [(21, (9, 32), "mean"), (300, (5,), "none"), (2, (1000,), "sum")]
    ],
    "soft_cross_entropy": [
        {"batch": (m,), "c": n, "reduction": how}
        for (m, n), how in zip(ROWS[::2], ["mean", "sum", "none"] * 2)
    ]
    + [
        {"n": 3, "c": c, "d": d, "classes": "second", "label_smoothing": 0.1, "reduction": how}
        for c, d, how in [(21, (9, 32), "mean"), (300, (5,), "none"), (2, (1000,), "sum")]
    ],
    # Tiles of rows and of classes, and parts of several tiles; for the backward, more classes than
    # one chunk holds.
    "linear_cross_entropy": [
        {"batch": (m,), "d": d, "c": c, "reduction": how}
        for m, d, c, how in [(70, 40, 200, "none"), (5, 33, 1500, "mean"), (130, 64, 2100, "sum")]
    ],
    "adamw_": [
        {"s": ((70000,),) * 3, "amsgrad": True},
        {"s": ((8192,), (3, 5), (8193,)), "maximize": True},
    ],
    "rotary": [
        {"lead": (2,), "t": 5, "hk": 2, "g": 4, "d": 128, "r": 64, "p": 16, "h": 1},
        {
            "lead": (),
            "t": 3,
            "hk": 1,
            "g": 33,
            "d": 96,
            "r": 32,
            "p": 16,
            "h": 1,
            "style": "interleaved",
        },
        {
            "lead": (1, 2),
            "t": 2,
            "hk": 3,
            "g": 1,
            "d": 600,
            "r": 295,
            "p": 16,
            "h": 1,
            "inverse": True,
        },
    ],
    "apply_rotary": [
        {"lead": (2,), "t": 5, "hk": 2, "g": 4, "d": 128, "r": 64},
        {"lead": (), "t": 3, "hk": 1, "g": 33, "d": 96, "r": 32, "style": "interleaved"},
        {"lead": (2,), "t": 2, "hk": 3, "g": 1, "d": 300, "r": 145, "order": "SHD"},
    ],
    # More entries than a block reads in one turn; more experts than entries.
    "moe_permute": [
        {"t": t, "d": d, "k": k, "e": e} for t, d, k, e in [(300, 64, 2, 7), (9, 33, 3, 70)]
    ],
    "moe_unpermute": [{"t": t, "d": d, "k": k} for t, d, k in [(300, 64, 2), (9, 1025, 3)]],
    "paged_cache_write": [
        # More tokens than slots, so that many slots are written again; a head that takes a warp
        # several turns; heads that share a warp.
        {"t": 300, "h": 5, "d": 33, "nb": 3, "bs": 7, "order": "HND"},
        {"t": 70, "h": 3, "d": 576, "nb": 9, "bs": 16},
        {"t": 9, "h": 40, "d": 64, "nb": 4, "bs": 16, "order": "HND"},
        {"t": 2500, "h": 2, "d": 16, "nb": 100, "bs": 16},
    ],
    "dropout": [{"s": s, "p": p} for s, p in zip(ELEMENTWISE * 2, [0.1, 0.5, 0.9, 0.0, 0.3, 0.7])],
    "quantize_fp8": [
        {"m": m, "kb": kb, "block": block, "column_major": major}
        for m, kb, block, major in [(1, 1, 64, True), (37, 5, 128, True), (3, 301, 64, False)]
    ],
    "topk_softmax": [
        {"batch": (m,), "e": n, "k": k, "renormalize": renormalize}
        for (m, n), k, renormalize in zip(ROWS, [8, 256, 8, 17, 50, 5, 3, 33, 1], [True, False] * 5)
    ],
    # Several tiles along each side; more groups than a warp has lanes, many of them empty. The
    # second and the last call run in f16, because gradients of bf16 may be inaccurate.
    "grouped_gemm": [
        {"g": g, "m": m, "n": n, "k": k, "trans_b": turned}
        for g, m, n, k, turned in [
            (2, 5, 200, 130, True),
            (5, 200, 72, 64, True),
            (70, 300, 8, 16, False),
            (3, 130, 65, 33, False),
            (1, 1, 1, 1, False),
            (3, 150, 66, 40, False),
        ]
    ],
    # More filters than a tile has; stride phases that several, few or no taps reach; windows that
    # are summed in parts; groups of one channel. The two axes differ in all parameters.
    "conv2d": [
        {"n": n, "groups": groups, "cg": cg, "h": h, "w": w, "k": k, "r": r, "s": s}
        | {"stride": stride, "padding": padding, "dilation": dilation}
        for n, groups, cg, h, w, k, r, s, stride, padding, dilation in [
            (2, 1, 8, 8, 8, 70, 1, 1, (1, 1), (0, 0), (1, 1)),
            (1, 1, 3, 9, 12, 5, 3, 4, (2, 3), (1, 2), (1, 1)),
            (1, 2, 2, 11, 13, 6, 3, 2, (4, 3), (2, 0), (2, 3)),
            (4, 1, 2, 20, 19, 4, 2, 3, (1, 1), (1, 0), (1, 2)),
            (1, 7, 1, 6, 5, 7, 3, 3, (1, 2), (1, 1), (1, 1)),
        ]
    ],
    # Several tiles of queries, of keys, and of a head's columns; a window; dropout; blocks.
    "varlen_attention": [
        {"tq": tq, "tk": tk, "hk": hk, "g": g, "d": d, "e": e, "b": b, "max_q": tq, "max_k": tk}
        | {"absent": ("block_table",), **more}
        for tq, tk, hk, g, d, e, b, more in [
            (50, 150, 1, 2, 64, 64, 2, {"causal": True}),
            (20, 70, 2, 1, 136, 200, 1, {"window": (40, 10)}),
            (9, 140, 1, 3, 33, 70, 3, {"dropout": 0.3, "absent": ("block_table", "alibi")}),
        ]
    ]
    + [
        {"tq": 7, "nb": 9, "bs": 16, "mb": 4, "hk": 2, "g": 3, "d": 40, "e": 40, "b": 2}
        | {"max_q": 7, "max_k": 64, "causal": True, "absent": ("alibi",)}
    ],
    # Few rows, and several tiles of rows; only whole packs, and no whole pack.
    "int8_linear": [
        {"batch": (m,), "k": k, "n": n} for m, k, n in [(3, 528, 9), (70, 128, 65), (33, 35, 70)]
    ],
    "int4_linear": [
        {"batch": (m,), "g": g, "h": h, "n": n, "absent": absent}
        for m, g, h, n, absent in [
            (5, 33, 8, 9, ()),
            (70, 2, 32, 65, ("zero",)),
            (33, 5, 3, 70, ()),
        ]
    ],
    # One tile of boxes and several; keys that are sorted by one block, by two, and by more.
    "nms": [{"n": n, "iou": iou} for n, iou in [(1, 0.5), (128, 0.3), (700, 0.9), (2100, 0.5)]],
    "embedding_bag": [
        {"rows": rows, "d": d, "n": n, "b": b, "mode": mode, "absent": ("sample_weights",)}
        for rows, d, n, b, mode in [
            (1000, 64, 5000, 60, "sum"),
            (2, 40, 3000, 30, "mean"),
            (700, 33, 900, 50, "max"),
        ]
    ]
    + [{"rows": 600, "d": 72, "n": 800, "b": 20, "mode": "sum"}],
    "fused_add_rms_norm": [{"batch": (m,), "d": n} for m, n in ROWS],
    "fused_add_rms_norm_quant": [
        {"batch": (m,), "d": n // 8 * 8, "dynamic": dynamic, "absent": ("scale_ub",)}
        for m, n in ROWS
        for dynamic in (False, True)
    ],
}


def subjects() -> Iterator[OpUnderTest]:
    """Return the ops with a CUDA kernel. For emulation, they also need a replaceable CPU kernel."""
    first = load(
        str(PACKAGE / "tests" / "test_ops.py"), "relu", package="generated", namespace="generated"
    )
    for op in first.project.ops:
        needed = [f"{op.family}_cuda.cu"]
        needed += [f"{op.family}_cpu.cpp"] if DEVICE == "cpu" else []
        if all((PACKAGE / "cpp" / name).is_file() for name in needed):
            yield first.peer(op.name)


def calls(subject: OpUnderTest) -> Iterator[Case]:
    """Yield the calls of the op's rendered tests, and then the extra ones in `EXTRA`."""
    yield from (case for case in cases(subject.op) if not _from_nothing(case))
    yield from extra_calls(subject)


def extra_calls(subject: OpUnderTest) -> Iterator[Case]:
    """Yield the calls of `EXTRA`, each with two rows of the dtype table."""
    rows = dtype_rows(subject.op)
    attrs = {attr.name for attr in subject.op.attrs}
    for number, extra in enumerate(EXTRA.get(subject.name, [])):
        absent = extra.get("absent", ())
        sizes = tuple((n, v) for n, v in extra.items() if n not in {*attrs, "absent"})
        given = tuple((n, v) for n, v in extra.items() if n in attrs)
        for row in dict.fromkeys((rows[number % len(rows)], rows[0])):
            case = Case(row, sizes, given, absent, seed=number)
            assert holds(subject.op, case), f"{subject.name}: {case}"
            yield case


def _from_nothing(case: Case) -> bool:
    """Return whether indices read from an empty table; a reference cannot compute this."""
    sizes = dict(case.sizes)
    return any(sizes.get(table) == 0 for table in ("rows", "p", "c"))


def params(*, gradients: bool = False) -> list:
    """Return every call of every op with a comparable reference, as parameters of a test."""
    found = []
    for subject in subjects():
        if subject.op.reference is None or subject.name in subject.project.residual_readers:
            continue
        for case in calls(subject):
            if gradients and not subject.differentiable(case):
                continue
            found.append(pytest.param(subject, case, id=f"{subject.name}-{case}"))
    return found


def placed(subject: OpUnderTest, arrays: list, offset: int, *, grad: bool = False) -> list:
    """Return tensors on the device that start `offset` elements after an aligned address."""
    made = torch_checks.tensors(subject, arrays)
    found = mapped(lambda tensor: _shifted(tensor, offset), made)
    for tensor, info in zip(found, subject.op.inputs):
        if grad and info.differentiable and torch_checks.floating(tensor):
            tensor.requires_grad_()
    return found


def _shifted(tensor: torch.Tensor, offset: int) -> torch.Tensor:
    wide = torch.zeros(tensor.numel() + offset, dtype=tensor.dtype, device=DEVICE)
    wide[offset:] = tensor.reshape(-1).to(DEVICE)
    return wide[offset:].view(tensor.shape)


def results(subject: OpUnderTest, case: Case, inputs: list) -> list:
    """Return the op's outputs and then its updated inputs, as arrays; lists stay lists."""
    raw, attrs = torch_checks.raw(subject), torch_checks.attributes(subject, case)
    outputs = raw(*torch_checks.for_raw(subject, inputs), *attrs)
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    found = list(outputs[: len(subject.op.outputs)])
    found += [x for x, t in zip(inputs, subject.op.inputs) if t.update]
    return mapped(lambda tensor: from_torch(tensor.cpu()), found)


@pytest.mark.parametrize("subject, case", params())
def test_values(subject: OpUnderTest, case: Case) -> None:
    """Values equal the reference's, aligned or not, and have the same bits every time."""
    arrays = draw(subject.op, case)
    wanted = oracle.results(subject, case, arrays)
    # Updates are stored before they are used, so that all results contain their rounding.
    coarsest = max((oracle.EPS.get(dtype, 0.0) for _, dtype in case.dtypes), default=0.0)
    updates = any(t.update for t in subject.op.inputs)
    for offset in (0, 1):
        with torch.no_grad():
            got = results(subject, case, placed(subject, arrays, offset))
            again = results(subject, case, placed(subject, arrays, offset))
        for name, y, z, exact in named(subject.op.results, got, again, wanted):
            if exact is not None:  # otherwise the reference does not determine it
                assert y.tobytes() == z.tobytes()
                eps = max(coarsest, oracle.EPS.get(NAMES.get(y.dtype), 0.0))
                felt = replace(case, rtol=32 * eps) if updates else case
                _close(y, exact, felt, f"{subject.name}.{name} at {offset}")


def _close(got: np.ndarray, wanted: np.ndarray, case: Case, what: str) -> None:
    """Compare like `oracle.close`, but 8-bit floats may differ by one rounding step."""
    if got.dtype.itemsize == 1 and not np.issubdtype(got.dtype, np.integer):
        wanted = wanted.astype(got.dtype).astype(np.float64)  # for updated inputs it is float64
        got = got.astype(np.float64)
        steps = np.abs(got - wanted) > np.maximum(np.abs(wanted), 2.0**-7) * 0.26
        rounded = np.mean(got != wanted) if got.size else 0.0
        assert not steps.any() and rounded < 0.05, what
    else:
        oracle.close(got, wanted, case, what=what, k=32, scale=1.0)


@pytest.mark.parametrize("subject, case", params(gradients=True))
def test_gradients(subject: OpUnderTest, case: Case) -> None:
    """Gradients equal the reference's, and have the same bits every time."""
    if not all(DTYPES[d].kind == "float" for n, d in case.dtypes if n != "I"):
        pytest.skip("integers have no gradient")
    if subject.name == "layer_norm" and np.prod(dict(case.attrs)["normalized_shape"]) == 2:
        pytest.skip("two elements become -1 and 1: the gradient is all cancellation")
    arrays = draw(subject.op, case)
    cotangents = draw_cotangents(subject.op, case)
    wanted = oracle.gradients(subject, case, arrays, cotangents)
    for offset in (0, 1):
        found, again = (
            _pulled(subject, case, arrays, cotangents, wanted, offset) for _ in range(2)
        )
        for (name, exact), gradient, same in zip(wanted.items(), found, again):
            torch_checks.same_bits(gradient, same, f"d{name} at {offset}, of a second call,")
            terms = max(1.0, arrays[0].size / max(exact.size, 1)) ** 0.5
            size = oracle.largest([*cotangents, exact]) * terms
            oracle.close(
                from_torch(gradient.cpu()),
                exact,
                case,
                what=f"d{name} at {offset}",
                k=64,
                scale=size,
            )


def _pulled(subject, case, arrays, cotangents, wanted, offset) -> tuple:
    inputs = placed(subject, arrays, offset, grad=True)
    active = [x for x, t in zip(inputs, subject.op.inputs) if t.name in wanted]
    ys = torch_checks.call(subject, case, inputs)
    pulled = [
        (y, _shifted(to_torch(c), offset))
        for y, c in zip(ys, cotangents)
        if torch_checks.floating(y)
    ]
    outputs, pulled = zip(*pulled)
    return torch.autograd.grad(outputs, active, pulled)


@pytest.mark.parametrize("subject", list(subjects()), ids=lambda subject: subject.name)
def test_each_kernel(subject: OpUnderTest) -> None:
    """Every kernel runs once in each dtype. Sanitizers, which are slow, run only this test."""
    seen = set()
    for case in [*extra_calls(subject), *cases(subject.op)]:
        if case.dtypes in seen or _from_nothing(case) or subject.reference is None:
            continue
        seen.add(case.dtypes)
        inputs = placed(subject, draw(subject.op, case), 0, grad=subject.differentiable(case))
        ys = torch_checks.call(subject, case, inputs)
        ys = [y for y in flat(ys) if torch_checks.floating(y) and y.requires_grad]
        if ys:
            torch.autograd.backward(ys, [torch.ones_like(y) for y in ys])
    if DEVICE == "cuda":
        torch.cuda.synchronize()
