"""On hard inputs, kernels are as accurate as PyTorch's own, or within a few epsilons.

An error is the largest difference between a result and the exact result, computed in 80-bit floats.
Its unit is the largest absolute value in the exact result, times the machine epsilon of the
result's dtype.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from generated.torch import cross_entropy, layer_norm, rms_norm

pytestmark = pytest.mark.slow

MOST = 3.0  # epsilons of the largest element
DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16, "f64": torch.float64}
Exact = dict[str, np.ndarray]


@dataclass(frozen=True)
class Case:
    """The inputs of one comparison, and three functions that compute the same op from them.

    `ours` and `native` take tensors and return one result. `exact` takes the inputs and `dy` as
    80-bit arrays. It returns the result and the gradients for the first inputs, by name. `dy` is
    the cotangent of the result.
    """

    name: str
    inputs: tuple[torch.Tensor, ...]
    dy: torch.Tensor
    ours: Callable
    native: Callable
    exact: Callable[..., Exact]


def losses(dtype: torch.dtype) -> Iterator[Case]:
    """Yield cases of `cross_entropy`: logits with an offset or a spread, long rows, and rows in
    which one logit is much larger.
    """
    rows, vocabulary = 8, 128256
    labels = torch.arange(rows) * 31 + 7

    def case(name: str, z: torch.Tensor, smoothing: float = 0.0) -> Case:
        options = {"reduction": "none", "label_smoothing": smoothing}
        return Case(
            f"cross_entropy, {name}",
            (z.to(dtype),),
            torch.linspace(0.5, 2, rows, dtype=torch.float64),
            lambda z: cross_entropy(z, labels, **options),
            lambda z: F.cross_entropy(z, labels, **options),
            lambda z, dy: exact_loss(z, labels.numpy(), dy, smoothing),
        )

    normal, long = torch.randn(rows, 1000) * 2, torch.randn(rows, vocabulary) * 2
    chosen = F.one_hot(labels, vocabulary)
    yield case("normal", normal)
    yield case("offset 1e4", normal + 1e4)
    yield case("offset 1e4, smoothing", normal + 1e4, 0.1)
    yield case("offset -3e4", normal - 3e4)
    yield case("spread", normal * 100)
    yield case("vocabulary 128k", long)
    yield case("vocabulary 128k, smoothing", long, 0.1)
    yield case("peaked 128k, right", long + 12 * chosen)
    yield case("peaked 128k, sure", long + 30 * chosen)
    yield case("peaked 128k, wrong", long + 30 * chosen.roll(1, 1))


def norms(dtype: torch.dtype) -> Iterator[Case]:
    """Yield cases of `rms_norm` and `layer_norm`: long rows, many rows, and large, tiny or zero
    elements.
    """
    wide = dtype in (torch.float32, torch.float64)

    def shape(rows: int, columns: int, of: Callable) -> Iterator[tuple]:
        x = of(torch.randn(rows, columns, dtype=torch.float64)).to(dtype)
        return x, torch.randn(columns).to(dtype), torch.randn(rows, columns).to(dtype)

    kinds = {
        "8 x 1024": (8, 1024, lambda x: x),
        "2 x 1048576": (2, 1 << 20, lambda x: x),
        "200000 x 16": (200000, 16, lambda x: x),
        "mean 100": (8, 1024, lambda x: x + 100),
        "one large element": (8, 1024, lambda x: x.index_fill(1, torch.tensor(3), 1e4)),
        "zero rows": (8, 1024, lambda x: x * 0),
        "tiny": (8, 1024, lambda x: x * 1e-6),
    }
    if wide:
        kinds["huge"] = (8, 1024, lambda x: x * 1e30)
    for name, (rows, columns, of) in kinds.items():
        x, weight, dy = shape(rows, columns, of)
        yield Case(
            f"rms_norm, {name}",
            (x, weight),
            dy,
            lambda x, w: rms_norm(x, w, eps=1e-5),
            lambda x, w: F.rms_norm(x, w.shape, w, 1e-5),
            lambda x, w, dy: exact_norm(x, w, dy, centred=False),
        )
        yield Case(
            f"layer_norm, {name}",
            (x, weight, torch.randn(columns).to(dtype)),
            dy,
            lambda x, w, b: layer_norm(x, w, b, normalized_shape=list(w.shape), eps=1e-5),
            lambda x, w, b: F.layer_norm(x, w.shape, w, b, 1e-5),
            lambda x, w, b, dy: exact_norm(x, w, dy, b, centred=True),
        )


def exact_loss(z, labels, dy, smoothing: float) -> Exact:
    """Return the cross-entropy of each row, and the gradient for the logits. z: `rows c`; labels,
    dy: `rows`.
    """
    rows = np.arange(len(z))
    z = z - z.max(-1, keepdims=True)
    e = np.exp(z)
    top = z.argmax(-1)
    rest = e.copy()
    rest[rows, top] = 0
    rest = rest.sum(-1)  # next to the 1 of the largest element
    loss = np.log1p(rest) - (1 - smoothing) * z[rows, labels] - smoothing * z.mean(-1)
    p = e / (1 + rest)[:, None] - smoothing / z.shape[-1]
    others = np.where(labels == top, rest, 1 + rest - e[rows, labels]) / (1 + rest)
    p[rows, labels] = smoothing - others - smoothing / z.shape[-1]
    return {"loss": loss, "dlogits": p * dy[:, None]}


def exact_norm(x, weight, dy, bias=None, *, centred: bool) -> Exact:
    """Return the normalised rows, and the gradients for the inputs. With `centred`, compute
    `layer_norm`, otherwise `rms_norm`. x, dy: `rows columns`; weight, bias: `columns`.
    """
    x = x - x.mean(-1, keepdims=True) if centred else x
    scale = 1 / np.sqrt((x * x).mean(-1, keepdims=True) + np.longdouble(1e-5))
    h, g = x * scale, dy * weight
    inner = g - g.mean(-1, keepdims=True) if centred else g
    found = {
        "y": h * weight + (0 if bias is None else bias),
        "dx": scale * (inner - h * (g * h).mean(-1, keepdims=True)),
        "dweight": (dy * h).sum(0),
    }
    return found if bias is None else found | {"dbias": dy.sum(0)}


def measured(case: Case) -> dict[str, tuple[float, float]]:
    """Return a pair for each result and gradient of a case: opgen's error and PyTorch's error."""

    def results(function: Callable) -> list[torch.Tensor]:
        leaves = [tensor.clone().requires_grad_() for tensor in case.inputs]
        y = function(*leaves)
        return [y, *torch.autograd.grad(y, leaves, case.dy.to(y.dtype))]

    ours, native = results(case.ours), results(case.native)
    cotangent = case.dy.to(ours[0].dtype)
    exact = case.exact(*(wide(tensor) for tensor in (*case.inputs, cotangent)))
    return {
        name: (error(mine, value), error(theirs, value))
        for (name, value), mine, theirs in zip(exact.items(), ours, native)
    }


def wide(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().double().numpy().astype(np.longdouble)


def error(found: torch.Tensor, exact: np.ndarray) -> float:
    limits = torch.finfo(found.dtype)
    unit = max(np.abs(exact).max() * limits.eps, limits.smallest_normal * limits.eps)
    return float(np.abs(wide(found) - exact).max() / unit)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("cases", [losses, norms], ids=lambda cases: cases.__name__)
def test_no_worse_than_native(cases, dtype: str) -> None:
    torch.manual_seed(1)
    found = [(case.name, measured(case)) for case in cases(DTYPES[dtype])]
    worse = [
        f"{case}: {result} is off by {ours:.1f} eps, native by {native:.1f}"
        for case, results in found
        for result, (ours, native) in results.items()
        if not (ours <= MOST or ours <= native)
    ]
    assert not worse, "\n".join(worse)
