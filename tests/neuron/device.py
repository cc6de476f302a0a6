"""Check ops on PyTorch's device `neuron` in a separate process: `python device.py <check>`.

The device and the package `nki` are this repository's stand-ins.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "neuron_shim" / "python")]

import neuron_device  # noqa: E402, F401  isort: skip
import numpy as np  # noqa: E402
import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402
from torch._C._distributed_c10d import _create_work_from_future  # noqa: E402

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
    """Check that every op with an NKI kernel gives the CPU's results or a clear error, in all
    cases.
    """
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
    """The MLP of the demo, with a norm of its hidden layer."""

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
    """Return the loss after each epoch. `functions` are relu, a norm, and the loss."""
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

    torch.testing.assert_close(ops.relu(x.mT).cpu(), x.cpu().mT.relu())

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


class HostGroup(dist.ProcessGroup):
    """A process group for the device, which runs gloo's collectives on copies in host memory."""

    def __init__(self, gloo: dist.ProcessGroupGloo, rank: int, size: int) -> None:
        super().__init__(rank, size)
        self.gloo = gloo

    def getBackendName(self) -> str:
        return "neuron-host"

    def setGroupName(self, name: str) -> None:
        self.called = name

    def getGroupName(self) -> str:
        return self.called

    def _run(self, name: str, written: torch.Tensor, *given: object) -> dist.Work:
        copy = written.cpu()
        work = getattr(self.gloo, name)(copy if given[:1] != ("list",) else [copy], *given[1:])
        work.wait()
        written.copy_(copy)
        return _create_work_from_future(_done(written))

    def allreduce(self, tensors: list, opts: object = None) -> dist.Work:
        return self._run("allreduce", tensors[0], "list", opts or dist.AllreduceOptions())

    def broadcast(self, tensors: list, opts: object = None) -> dist.Work:
        return self._run("broadcast", tensors[0], "list", opts or dist.BroadcastOptions())

    def _allgather_base(
        self, to: torch.Tensor, given: torch.Tensor, opts: object = None
    ) -> dist.Work:
        return self._run("_allgather_base", to, "", given.cpu())

    def _reduce_scatter_base(
        self, to: torch.Tensor, given: torch.Tensor, opts: object
    ) -> dist.Work:
        options = dist.AllreduceOptions()
        options.reduceOp = dist.ReduceOp.SUM
        whole = given.cpu()
        self.gloo.allreduce([whole], options).wait()
        part = whole.view(self.size(), -1)[self.rank()].view(to.shape)
        average = opts is not None and opts.reduceOp == dist.ReduceOp.AVG
        to.copy_(part / self.size() if average else part)
        return _create_work_from_future(_done(to))

    def allgather_into_tensor_coalesced(
        self, to: list, given: list, opts: object = None
    ) -> dist.Work:
        return [self._allgather_base(*pair) for pair in zip(to, given)][-1]

    def reduce_scatter_tensor_coalesced(self, to: list, given: list, opts: object) -> dist.Work:
        return [self._reduce_scatter_base(*pair, opts) for pair in zip(to, given)][-1]

    all_gather_single = _allgather_base  # their names in torch 2.13 and later
    reduce_scatter_single = _reduce_scatter_base


def _done(value: object) -> torch.futures.Future:
    future: torch.futures.Future = torch.futures.Future()
    future.set_result([value])
    return future


def _create(store: dist.Store, rank: int, size: int, timeout: object) -> HostGroup:
    return HostGroup(dist.ProcessGroupGloo(store, rank, size, timeout), rank, size)


def check_shards(*place: str) -> None:
    """Check DTensor and FSDP2 in two processes, which the call without `place` starts."""
    if not place:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, __file__, "shards", f"{folder}/store"]
            both = [subprocess.Popen([*command, str(rank)], cwd=ROOT) for rank in range(2)]
            assert [each.wait() for each in both] == [0, 0]
        print("right")
        return
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard
    from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor

    store, rank = place
    dist.Backend.register_backend("neuron-host", _create, devices=["neuron"])
    dist.init_process_group(
        "neuron-host", store=dist.FileStore(store, 2), rank=int(rank), world_size=2
    )
    mesh = init_device_mesh("neuron", (2,))
    torch.manual_seed(0)
    x, weight = torch.randn(260, 48), torch.randn(48)
    wanted_x, wanted_weight = (t.clone().requires_grad_() for t in (x, weight))
    ops.rms_norm(wanted_x, wanted_weight).square().sum().backward()
    rows = distribute_tensor(x.to(NEURON), mesh, [Shard(0)], src_data_rank=None)
    rows.requires_grad_()
    whole = distribute_tensor(weight.to(NEURON), mesh, [Replicate()], src_data_rank=None)
    whole.requires_grad_()
    y = ops.rms_norm(rows, whole)
    assert isinstance(y, DTensor) and y.placements == (Shard(0),) and y.device.type == "neuron"
    y.square().sum().backward()
    torch.testing.assert_close(rows.grad.full_tensor().cpu(), wanted_x.grad, rtol=1e-4, atol=1e-4)
    got = whole.grad.full_tensor().cpu()
    torch.testing.assert_close(got, wanted_weight.grad, rtol=1e-4, atol=1e-4)

    layers = initial_layers(bundled_digits())
    alone = Classifier(layers, ops.relu, ops.rms_norm)
    split = Classifier(layers, ops.relu, ops.rms_norm).to(NEURON)
    fully_shard(split, mesh=mesh)
    batch = torch.randn(2, 16, 64)
    for model, given in ((alone, batch.flatten(0, 1)), (split, batch[int(rank)].to(NEURON))):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(2):
            optimizer.zero_grad()
            model(given).square().mean().backward()
            optimizer.step()
    for one, other in zip(alone.parameters(), split.parameters(), strict=True):
        assert isinstance(other, DTensor)
        torch.testing.assert_close(other.full_tensor().cpu(), one, rtol=1e-4, atol=1e-5)
    dist.destroy_process_group()


CHECKS = {
    "ops": check_ops,
    "training": check_training,
    "transforms": check_transforms,
    "shards": check_shards,
}

if __name__ == "__main__":
    CHECKS[sys.argv[1]](*sys.argv[2:])
