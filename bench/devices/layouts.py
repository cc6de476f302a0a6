"""The sizes of the traced model, and the layouts in which it is split over devices."""

from __future__ import annotations

from dataclasses import replace

from examples.small_llama import Sizes

# Llama 3 70B: https://arxiv.org/abs/2407.21783, table 3. The number of blocks of hidden dims is the
# number of devices for tensor parallelism.
LLAMA = Sizes(
    layers=80, vocab=128_256, width=8192, heads=64, kv_heads=8, head=128, blocks=8, block=3584
)
TOKENS = 8192  # of a sequence; each part of the batch is one
# The mixture of experts: a token needs as many multiplications as in the Llama's MLP.
EXPERTS, CHOSEN = 64, 8
EXPERT = LLAMA.blocks * LLAMA.block // CHOSEN  # hidden dims

COUNTS = 1024, 4096
SHARDS = 64  # devices that share a copy of the weights in HSDP
PARTS = 8  # of tensors, tokens or experts: the devices of a host


def layouts(devices: int) -> dict[str, dict[str, int]]:
    """Return the sizes of the mesh axes of each layout, by the layout's name.

    `copies` and `shards` split the batch; `shards` also splits the weights. `experts` splits the
    batch and the experts. `context` splits the tokens of a sequence. `tensor` splits heads, hidden
    dims and vocabulary, and also the tokens between the layers.
    """
    rest = devices // PARTS
    return {
        "FSDP": {"shards": devices},
        "HSDP": {"copies": devices // SHARDS, "shards": SHARDS},
        "TP+SP": {"copies": rest, "shards": 1, "tensor": PARTS},
        "FSDP x TP+SP": {"shards": rest, "tensor": PARTS},
        "FSDP x CP": {"context": PARTS, "shards": rest},
        "FSDP x EP": {"experts": PARTS, "shards": rest},
    }


def of_layers(count: int) -> Sizes:
    return replace(LLAMA, layers=count)
