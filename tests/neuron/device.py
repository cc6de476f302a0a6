"""Checks ops on the device `neuron` of PyTorch, in a process of its own: `python device.py <check>`.

The device is the stand-in's, and so is the package `nki` below it.
"""

from __future__ import annotations

import os
import sys
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "neuron_shim" / "python")]

import neuron_device  # noqa: E402, F401  isort: skip
import numpy as np  # noqa: E402
import torch  # noqa: E402

import generated.torch as ops  # noqa: E402
from examples.digits.data import batches, bundled_digits  # noqa: E402
from examples.digits.model import BATCH, SEED, initial_layers  # noqa: E402
from generated.neuron.nki import KERNELS  # noqa: E402
from opgen.testing import oracle  # noqa: E402
from opgen.testing.arrays import to_torch  # noqa: E402
from opgen.testing.cases import cases  # noqa: E402
from opgen.testing.op_under_test import OpUnderTest  # noqa: E402
from opgen.testing.torch_checks import draw  # noqa: E402
from tests.neuron.operators import project  # noqa: E402

NEURON = torch.device("neuron")
EPOCHS = 5


def moved(x: object) -> object:
    return x.to(NEURON) if isinstance(x, torch.Tensor) else x


def check_ops() -> None:
    """Every op with an NKI kernel, in all its cases: as on the CPU, or refused in words."""
    everything = project()
    for name in sorted(KERNELS):
        (op,) = (op for op in everything.ops if op.name == name)
        subject, counts = OpUnderTest(op, everything), [0, 0]
        function = getattr(torch.ops.generated, name).default
        for case in cases(op):
            arrays = [x if x is None else to_torch(x) for x in draw(op, case)]
            attrs = [*oracle.all_attributes(subject, case).values()]
            names = [each.name for each in function._schema.arguments]
            given = dict(zip(names, [*arrays, *attrs]))
            try:
                found = function(**{n: moved(x) for n, x in given.items()})
            except ValueError as error:
                assert str(error).startswith(f"{name}: its NKI kernel requires "), error
                counts[1] += 1
                continue
            wanted = function(**given)
            several = isinstance(wanted, tuple)
            for y, right in zip(*(r if several else (r,) for r in (found, wanted)), strict=True):
                if right is not None:
                    assert y.device.type == "neuron" and y.dtype == right.dtype, (name, case)
                    said = lambda text: f"{name} {case}: {text}"  # noqa: B023, E731
                    torch.testing.assert_close(y.cpu(), right, equal_nan=True, msg=said)
            counts[0] += 1
        print(name, *counts)


class Classifier(torch.nn.Module):
    """The MLP of the demo with a norm of its hidden layer."""

    def __init__(self, layers: object, relu: object, norm: object) -> None:
        super().__init__()
        self.relu, self.norm = relu, norm
        self.weights = torch.nn.ParameterList(torch.tensor(np.asarray(w)) for w, _ in layers)
        self.biases = torch.nn.ParameterList(torch.tensor(np.asarray(b)) for _, b in layers)
        self.scale = torch.nn.Parameter(torch.ones(len(layers[0][0])))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for i, (w, b) in enumerate(zip(self.weights, self.biases)):
            x = x @ w.t() + b
            if i == 0:
                x = self.norm(x, self.scale)
            if i < len(self.weights) - 1:
                x = self.relu(x)
        return x


def native_norm(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.rms_norm(x, weight.shape, weight, 1e-5)


def train(device: torch.device, *functions: object, compiled: bool = False) -> list[float]:
    """The loss after each epoch, with three functions: relu, a norm, and the loss."""
    relu, norm, loss_of = functions
    data = bundled_digits()
    model = Classifier(initial_layers(data), relu, norm).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def step(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return loss_of(model(x), y)

    step = torch.compile(step, backend="aot_eager", fullgraph=True) if compiled else step
    x, y = (torch.tensor(np.asarray(a)).to(device) for a in (data.train_x, data.train_y))
    y, losses = y.long(), []
    for epoch in islice(batches(len(x), BATCH, SEED), EPOCHS):
        for batch in epoch:
            index = torch.tensor(np.asarray(batch), dtype=torch.long).to(device)
            optimizer.zero_grad()
            loss = step(x[index], y[index])
            loss.backward()
            optimizer.step()
        losses.append(loss.item())
    return losses


def check_training() -> None:
    torch.manual_seed(0)
    ours = ops.relu, ops.rms_norm, ops.cross_entropy
    native = torch.relu, native_norm, torch.nn.functional.cross_entropy
    print(*train(torch.device("cpu"), *native))
    print(*train(NEURON, *ours))
    print(*train(NEURON, *ours, compiled=True))


def check_transforms() -> None:
    x = torch.randn(3, 200, 16, device=NEURON)
    weight = torch.randn(16, device=NEURON)
    rows = torch.func.vmap(ops.rms_norm, (0, None))(x, weight)
    torch.testing.assert_close(rows.cpu(), ops.rms_norm(x.cpu(), weight.cpu()))

    def loss(x: torch.Tensor) -> torch.Tensor:
        return ops.silu_and_mul(x).square().sum()

    second = torch.func.grad(lambda x: torch.func.grad(loss)(x).sum())
    torch.testing.assert_close(second(x).cpu(), second(x.cpu()), rtol=1e-4, atol=1e-5)
    try:
        ops.swiglu(x, x)
    except NotImplementedError as error:
        assert str(error) == "swiglu: there is no kernel for neuron", error
    else:
        raise AssertionError("an op without an NKI kernel ran")
    for cores, wanted in (("1", 1), ("2", 2)):
        os.environ["NEURON_LOGICAL_NC_CONFIG"] = cores
        assert KERNELS["relu"].launched().lnc == wanted
    print("right")


if __name__ == "__main__":
    {"ops": check_ops, "training": check_training, "transforms": check_transforms}[sys.argv[1]]()
