"""Compare the speed of training with the generated relu and with the native relu, on the network of
`make demo`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from examples.digits.__main__ import jax_pair, torch_pair
from examples.digits.data import batches, bundled_digits
from examples.digits.model import BATCH, SEED
from opgen.bench.harness import Claim, Group


def groups() -> Iterator[Group]:
    data = bundled_digits()
    for framework, pair in (("PyTorch", torch_pair), ("JAX", jax_pair)):
        generated, native = pair(data)
        epoch = next(batches(len(data.train_x), BATCH, SEED))
        yield Group(
            f"{framework}: the MLP with the generated and the native relu, one epoch",
            {"generated": partial(generated.epoch, epoch), "native": partial(native.epoch, epoch)},
            [Claim("generated", "native", "speed ratio", at_least=0.95)],
            rounds=200,
            seconds=0,
        )
