"""`varlen_attention` compared with PyTorch's own attention, one sequence at a time."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
from torch.nn import functional as F  # noqa: E402

from generated.torch import varlen_attention  # noqa: E402

LENGTHS = ((5, 5), (0, 3), (64, 64), (130, 130), (1, 77), (70, 200), (3, 0))
HEADS, GROUPS = 2, 3


def drawn(dtype, d, e):
    """Return random q, k, v, cu_q and cu_k of packed sequences."""
    tq, tk = (sum(column) for column in zip(*LENGTHS))
    shapes = ((tq, HEADS * GROUPS, d), (tk, HEADS, d), (tk, HEADS, e))
    cu = (np.cumsum([0, *column]).astype(np.int32) for column in zip(*LENGTHS))
    return *(torch.randn(*s, dtype=dtype) for s in shapes), *map(torch.from_numpy, cu)


def attend(q, k, v, cu_q, cu_k, **attrs):
    longest = {f"max_{i}": max(n) for i, n in zip("qk", zip(*LENGTHS))}
    return varlen_attention(q, k, v, cu_q, cu_k, **longest, **attrs)


def by_sequences(q, k, v, cu_q, cu_k, *, causal, window=(-1, -1)):
    """Return PyTorch's result for each sequence, in the dtype of q."""
    parts = []
    for (a, b), (c, d) in zip(zip(cu_q, cu_q[1:]), zip(cu_k, cu_k[1:])):
        place = torch.arange(b - a)[:, None] + (d - c) - (b - a)
        away = torch.arange(d - c) - place
        seen = torch.ones_like(away, dtype=torch.bool)
        seen &= away <= 0 if causal else seen
        seen &= away >= -window[0] if window[0] >= 0 else seen
        seen &= away <= window[1] if window[1] >= 0 else seen
        qs, ks, vs = (x[i:j].transpose(0, 1) for x, i, j in ((q, a, b), (k, c, d), (v, c, d)))
        ks, vs = (x.repeat_interleave(GROUPS, 0) for x in (ks, vs))
        if d == c:
            parts.append(torch.zeros(b - a, q.shape[1], v.shape[2], dtype=q.dtype))
            continue
        some = seen.any(-1)[None, :, None]
        mask = seen | ~some[0]
        out = F.scaled_dot_product_attention(qs, ks, vs, attn_mask=mask) * some
        parts.append(out.transpose(0, 1))
    return torch.cat(parts)


OPTIONS = (
    {"causal": False},
    {"causal": True},
    {"causal": True, "window": (9, -1)},
    {"causal": False, "window": (3, 2)},
)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize(
    ("dtype", "eps"), ((torch.float32, 2e-6), (torch.bfloat16, 1e-2), (torch.float16, 2e-3))
)
@pytest.mark.parametrize(("d", "e"), ((64, 64), (33, 5), (256, 129)))
def test_values_and_gradients(dtype, eps, d, e, options):
    *given, cu_q, cu_k = drawn(dtype, d, e)
    ours = [x.clone().requires_grad_() for x in given]
    exact = [x.double().requires_grad_() for x in given]
    out = attend(
        *ours, cu_q, cu_k, **{n: list(v) if n == "window" else v for n, v in options.items()}
    )
    wanted = by_sequences(*exact, cu_q, cu_k, **options)
    cotangent = torch.randn_like(wanted).to(dtype)
    found = torch.autograd.grad(out, ours, cotangent)
    due = torch.autograd.grad(wanted, exact, cotangent.double())
    for name, a, b in zip(("out", "dq", "dk", "dv"), (out, *found), (wanted, *due)):
        assert a.dtype == dtype
        assert (a.double() - b).abs().max() <= eps * b.abs().max() * 4, name


def test_nan_stays_in_its_sequence():
    q, k, v, cu_q, cu_k = drawn(torch.float32, 16, 8)
    for place, x in (("q", q), ("k", k), ("v", v)):
        at = int((cu_q if place == "q" else cu_k)[3])  # the first of the fourth sequence
        kept = x[at].clone()
        x[at] = torch.nan
        out = attend(q, k, v, cu_q, cu_k, causal=False)
        rows = torch.zeros(len(q), dtype=torch.bool)
        rows[int(cu_q[3]) : int(cu_q[3]) + 1 if place == "q" else int(cu_q[4])] = True
        assert torch.equal(out.isnan().flatten(1).any(1), rows)
        assert torch.equal(out.isnan().flatten(1).all(1), rows)
        x[at] = kept


def test_dropout_by_the_words_of_the_reference():
    from array_api_compat import torch as xp

    from generated.reference.varlen_attention import varlen_attention as reference

    q, k, v, cu_q, cu_k = drawn(torch.float64, 16, 8)
    seed, offset = torch.tensor(7), torch.tensor(2)
    attrs = {"max_q": 130, "max_k": 200, "scale": 0.25, "causal": True, "window": [-1, -1]}
    attrs["dropout"] = 0.3
    out = varlen_attention(q, k, v, cu_q, cu_k, seed=seed, offset=offset, **attrs)
    wanted = reference(xp, q, k, v, cu_q, cu_k, seed=seed, offset=offset, **attrs)
    torch.testing.assert_close(out, wanted)
    plain = attend(q, k, v, cu_q, cu_k, causal=True, scale=0.25)
    assert (out - plain).abs().max() > 0.1


def test_a_paged_cache_is_the_packed_one():
    q, k, v, cu_q, cu_k = drawn(torch.float32, 16, 8)
    rows, blocks = 16, 60
    table = torch.randperm(blocks)[: 13 * len(LENGTHS)].resize_(len(LENGTHS), 13).int() % blocks
    order = torch.randperm(blocks).int()
    cache_k, cache_v = (torch.full((blocks, rows, *x.shape[1:]), torch.nan) for x in (k, v))
    used = 0
    for n in range(len(LENGTHS)):
        first, past = int(cu_k[n]), int(cu_k[n + 1])
        for block in range((past - first + rows - 1) // rows):
            table[n, block] = order[used]
            part = slice(first + block * rows, min(past, first + (block + 1) * rows))
            for cache, x in ((cache_k, k), (cache_v, v)):
                cache[order[used], : part.stop - part.start] = x[part]
            used += 1
    longest = {"max_q": 130, "max_k": 200, "causal": True}
    out = varlen_attention(q, cache_k, cache_v, cu_q, cu_k, table, **longest)
    assert torch.equal(out, varlen_attention(q, k, v, cu_q, cu_k, **longest))


@pytest.mark.parametrize("dtype", (torch.float32, torch.float64, torch.bfloat16))
def test_a_query_that_sees_one_key_has_no_gradient(dtype):
    """A query that sees only one key has a gradient of 0.

    Its softmax is 1 for any score. Any other gradient would be a rounding error.
    """
    tokens = 40
    cu = torch.arange(tokens + 1, dtype=torch.int32)
    q, k, v = (torch.randn(tokens, 2, 65).to(dtype).requires_grad_() for _ in range(3))
    out = varlen_attention(q, k, v, cu, cu, max_q=1, max_k=1)
    for gradient in torch.autograd.grad(out, (q, k), torch.randn_like(out)):
        assert torch.equal(gradient, torch.zeros_like(gradient))
