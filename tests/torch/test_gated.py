"""Gated activations used in place of those in transformers' MLPs."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from generated.torch import geglu, gelu_and_mul, silu_and_mul, swiglu

pytest.importorskip("transformers", reason="transformers is not installed")

from transformers.models.gemma.configuration_gemma import GemmaConfig
from transformers.models.gemma.modeling_gemma import GemmaMLP
from transformers.models.llama.configuration_llama import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaMLP

SIZES = {"hidden_size": 48, "intermediate_size": 72, "num_attention_heads": 4}


def mlp(name: str) -> nn.Module:
    torch.manual_seed(0)
    if name == "gemma":
        return GemmaMLP(GemmaConfig(**SIZES))
    return LlamaMLP(LlamaConfig(**SIZES, hidden_act="silu" if name == "llama" else name))


def of_two(name: str, gate: Tensor, up: Tensor) -> Tensor:
    if name == "llama":
        return swiglu(gate, up)
    return geglu(gate, up, approximate="tanh" if name == "gemma" else "none")


def of_one(name: str, gate: Tensor, up: Tensor) -> Tensor:
    both = torch.cat([gate, up], -1)
    if name == "llama":
        return silu_and_mul(both)
    return gelu_and_mul(both, approximate="tanh" if name == "gemma" else "none")


@pytest.mark.parametrize("product", [of_one, of_two])
@pytest.mark.parametrize("name", ["llama", "gemma", "gelu"])
def test_in_an_mlp(name: str, product) -> None:
    """The result and all gradients equal those of transformers' module, in f64."""
    module = mlp(name).double()
    x = torch.randn(2, 5, 48, dtype=torch.float64, requires_grad=True)
    given = [x, *module.parameters()]
    wanted = module(x)
    got = module.down_proj(product(name, module.gate_proj(x), module.up_proj(x)))
    torch.testing.assert_close(got, wanted)
    dy = torch.randn_like(wanted)
    pairs = zip(torch.autograd.grad(got, given, dy), torch.autograd.grad(wanted, given, dy))
    for found, exact in pairs:
        torch.testing.assert_close(found, exact)


@pytest.mark.parametrize("name", ["llama", "gemma", "gelu"])
def test_bf16_is_rounded_once(name: str) -> None:
    """bf16 results are rounded once, and are no less exact than transformers', rounded twice."""
    gate, up = (torch.randn(64, 72).bfloat16() for _ in range(2))
    module = mlp(name)
    exact = module.act_fn(gate.double()) * up.double()
    native = module.act_fn(gate) * up
    ours = of_two(name, gate, up)
    error = [((y.double() - exact) / exact).abs().max() for y in (ours, native)]
    assert error[0] <= error[1] and error[0] <= 2**-8
