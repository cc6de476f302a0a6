"""Train a small Llama from transformers for some steps, either as it is or with opgen's ops."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from transformers import LlamaConfig, LlamaForCausalLM

from examples.llama.swap import swap
from generated.torch import AdamW

CONFIG = LlamaConfig(
    vocab_size=256,
    hidden_size=64,
    intermediate_size=176,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    max_position_embeddings=64,
    use_cache=False,
)
LR = 3e-3
STEPS = 8
DTYPES = ("f32", "bf16")  # by autocast


def model_of(ours: bool, dtype: torch.dtype = torch.float32) -> LlamaForCausalLM:
    """Return a model, with opgen's ops if `ours`. Each call returns the same random weights."""
    torch.manual_seed(0)
    model = LlamaForCausalLM(CONFIG).to(dtype)
    return swap(model) if ours else model


def optimizer_of(model: nn.Module, ours: bool) -> torch.optim.Optimizer:
    make = AdamW if ours else torch.optim.AdamW
    return make(model.parameters(), lr=LR, weight_decay=0.1)


def batch(step: int, rows: int = 4, tokens: int = 33) -> Tensor:
    """Return tokens that a model can learn, because each token determines the next: `rows tokens`."""
    generator = torch.Generator().manual_seed(step)
    first = torch.randint(CONFIG.vocab_size, (rows, 1), generator=generator)
    steps = torch.arange(tokens)
    return (first + 7 * steps) % CONFIG.vocab_size


def train(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    steps: int = STEPS,
    autocast: bool = False,
) -> list[float]:
    """Train the model for `steps` steps, and return the loss of each step."""
    return [step_of(model, optimizer, batch(step), autocast) for step in range(steps)]


def step_of(
    model: nn.Module, optimizer: torch.optim.Optimizer, tokens: Tensor, autocast: bool
) -> float:
    """Make one training step on `tokens`. Return the loss before the update."""
    loss = loss_of(model, tokens, autocast)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def loss_of(model: nn.Module, tokens: Tensor, autocast: bool) -> Tensor:
    with torch.autocast("cpu", torch.bfloat16, enabled=autocast):
        return model(input_ids=tokens, labels=tokens).loss


def losses_of(
    ours: bool, dtype: str, backend: str | None = None, checkpointed: bool = False
) -> list[float]:
    """Train a model in one process, and return the loss of each step.

    `dtype` is `f64`, `f32`, or `bf16` for autocast. `backend` compiles the model with this backend.
    With `checkpointed`, the backward computes the layers again instead of saving their results.
    """
    model = model_of(ours, torch.float64 if dtype == "f64" else torch.float32)
    if checkpointed:
        model.train()
        model.gradient_checkpointing_enable({"use_reentrant": False})
    optimizer = optimizer_of(model, ours)
    run = torch.compile(model, backend=backend) if backend else model
    return train(run, optimizer, autocast=dtype == "bf16")
