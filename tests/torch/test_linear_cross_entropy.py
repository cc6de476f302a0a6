"""`linear_cross_entropy` compared with `F.cross_entropy` of `F.linear`: values, gradients, memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from generated.torch import linear_cross_entropy

ROOT = Path(__file__).parents[2]
FLOATS = [torch.float32, torch.bfloat16, torch.float16, torch.float64]


def made(rows: int, d: int, classes: int, dtype: torch.dtype) -> tuple[Tensor, Tensor, Tensor]:
    hidden = torch.randn(rows, d).to(dtype).requires_grad_()
    weight = (torch.randn(classes, d) / d**0.5).to(dtype).requires_grad_()
    labels = torch.randint(0, classes, (rows,))
    labels[::5] = -100
    return hidden, weight, labels


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("dtype", FLOATS)
def test_values_and_gradients(dtype: torch.dtype, reduction: str) -> None:
    """Values and gradients agree with float64.

    The sizes need several tiles of rows, and several parts and chunks of the classes.
    """
    hidden, weight, labels = made(450, 40, 5000, dtype)
    wide = [x.detach().double().requires_grad_() for x in (hidden, weight)]
    exact = F.cross_entropy(F.linear(*wide), labels, reduction=reduction)
    loss = linear_cross_entropy(hidden, weight, labels, reduction=reduction)
    assert loss.dtype == torch.promote_types(dtype, torch.float32)
    eps = torch.finfo(loss.dtype).eps
    torch.testing.assert_close(loss.double(), exact, rtol=20 * eps, atol=0)
    dloss = torch.randn(exact.shape, dtype=torch.float64)
    found = torch.autograd.grad(loss, (hidden, weight), dloss.to(loss.dtype))
    eps, tiny = torch.finfo(dtype).eps, torch.finfo(dtype).smallest_normal / 1024
    for one, other in zip(found, torch.autograd.grad(exact, wide, dloss), strict=True):
        assert one.dtype == dtype
        torch.testing.assert_close(
            one.double(), other, rtol=4 * eps, atol=8e-6 * float(other.abs().max()) + tiny
        )


@pytest.mark.parametrize("dtype", FLOATS[1:3])
def test_errors_against_f64_are_smaller_than_native(dtype: torch.dtype) -> None:
    """Errors are smaller than PyTorch's, which rounds each logit to 16 bits."""
    hidden, weight, labels = made(64, 256, 1000, dtype)
    exact = F.cross_entropy(F.linear(hidden.double(), weight.double()), labels, reduction="none")
    native = F.cross_entropy(F.linear(hidden, weight), labels, reduction="none")
    ours = linear_cross_entropy(hidden, weight, labels, reduction="none")
    assert (ours - exact).abs().max() < 1e-3 * (native - exact).abs().max()


@pytest.mark.parametrize("shape", [(64, 256, 1000), (450, 40, 5000)], ids=str)
@pytest.mark.parametrize("dtype", FLOATS[1:3])
def test_gradients_of_16_bits_are_nearer_than_native(
    dtype: torch.dtype, shape: tuple[int, int, int]
) -> None:
    """Gradients of 16 bits are more accurate than PyTorch's, which rounds logits."""
    hidden, weight, labels = made(*shape, dtype)
    wide = [x.detach().double().requires_grad_() for x in (hidden, weight)]
    exact = torch.autograd.grad(F.cross_entropy(F.linear(*wide), labels), wide)
    native = torch.autograd.grad(
        F.cross_entropy(F.linear(hidden, weight), labels), (hidden, weight)
    )
    ours = torch.autograd.grad(linear_cross_entropy(hidden, weight, labels), (hidden, weight))
    for one, other, wanted in zip(ours, native, exact, strict=True):
        assert (one - wanted).norm() < (other - wanted).norm()


def test_gradients_of_large_logits_beside_native() -> None:
    """Gradients of large logits are as accurate as PyTorch's.

    The gradients of a row's logits sum to 0, so that a common offset of all weights has no effect.
    """
    hidden, weight, labels = made(64, 256, 1000, torch.float32)
    inputs = [hidden, (weight + 100).detach().requires_grad_()]
    wide = [x.detach().double().requires_grad_() for x in inputs]

    def gradients(loss: Tensor, of: list[Tensor]) -> Tensor:
        return torch.autograd.grad(loss, of)[0].double()

    exact = gradients(F.cross_entropy(F.linear(*wide), labels), wide)
    native = gradients(F.cross_entropy(F.linear(*inputs), labels), inputs) - exact
    ours = gradients(linear_cross_entropy(*inputs, labels), inputs) - exact
    assert ours.abs().max() < 4 * native.abs().max()


def test_large_logits_and_labels_that_are_ignored() -> None:
    """Large logits lose no digits, and if all labels are ignored, the mean is NaN and the sum 0."""
    hidden, weight = torch.tensor([[1000.0], [-1000.0]]), torch.tensor([[1.0], [1.001], [0.0]])
    labels = torch.tensor([0, 2])
    exact = F.cross_entropy(hidden.double() @ weight.double().T, labels, reduction="none")
    loss = linear_cross_entropy(hidden, weight, labels, reduction="none")
    torch.testing.assert_close(loss.double(), exact, rtol=1e-4, atol=1e-6)
    ignored = torch.full_like(labels, -100)
    assert linear_cross_entropy(hidden, weight, ignored).isnan()
    assert linear_cross_entropy(hidden, weight, ignored, reduction="sum") == 0


def test_a_label_out_of_range() -> None:
    hidden, weight, _ = made(3, 4, 7, torch.float32)
    labels = torch.tensor([1, 7, 0])
    with pytest.raises(ValueError, match="linear_cross_entropy: labels: expected 0 <= labels < 7"):
        linear_cross_entropy(hidden, weight, labels)


MEMORY = """
def memory(name):
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))

def begin():
    open("/proc/self/clear_refs", "w").write("5")
    return memory("VmRSS")
"""
PEAK = {
    "torch": """
import torch
import torch.nn.functional as F
from generated.torch import linear_cross_entropy

dtype = torch.{dtype}
hidden = torch.randn({rows}, 64, dtype=dtype, requires_grad=True)
weight = torch.randn({classes}, 64, dtype=dtype, requires_grad=True)
labels = torch.randint(0, {classes}, ({rows},))
ours = linear_cross_entropy
native = lambda hidden, weight, labels: F.cross_entropy(F.linear(hidden, weight), labels)
{function}(hidden[:2], weight, labels[:2]).backward()
before = begin()
{function}(hidden, weight, labels).backward()
print(memory("VmHWM") - before)
""",
    "jax": """
import jax
import jax.numpy as jnp
from generated.jax import linear_cross_entropy as ours

def native(hidden, weight, labels):
    logits = jax.nn.log_softmax((hidden @ weight.T).astype(jnp.float32))
    return -jnp.take_along_axis(logits, labels[:, None], axis=-1).mean()

hidden = jax.random.normal(jax.random.key(0), ({rows}, 64), jnp.{dtype})
weight = jax.random.normal(jax.random.key(1), ({classes}, 64), jnp.{dtype})
labels = jax.random.randint(jax.random.key(2), ({rows},), 0, {classes})
gradients = jax.jit(jax.grad({function}, argnums=(0, 1)))
compiled = jax.block_until_ready(gradients.lower(hidden, weight, labels).compile())
before = begin()
jax.block_until_ready(compiled(hidden, weight, labels))
print(memory("VmHWM") - before)
""",
}


def peak(framework: str, function: str, dtype: str, rows: int, classes: int) -> int:
    """Return the bytes by which forward and backward raise a separate process's peak memory."""
    code = PEAK[framework].format(function=function, dtype=dtype, rows=rows, classes=classes)
    command = [sys.executable, "-c", MEMORY + code]
    return int(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("framework", PEAK)
def test_the_logits_are_never_whole_in_memory(framework: str, dtype: str) -> None:
    """The logits are never stored as a whole.

    In f32 they have 128 MiB. PyTorch stores them and their gradient, in f32 or bf16.
    """
    rows, classes = 2048, 16384
    logits = rows * classes * 4
    ours, native = (peak(framework, f, dtype, rows, classes) for f in ("ours", "native"))
    print(f"{framework} {dtype}: {ours / 2**20:.0f} MiB, native {native / 2**20:.0f} MiB")
    least = 1.5 if dtype == "float32" else 0.75
    assert ours < logits / 4 and native > least * logits
