"""The rendered ops in forked processes, data loaders, threads and the profiler."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch
from torch.profiler import ProfilerActivity, profile

import generated
from generated.torch import relu, rms_norm

ROOT = Path(generated.__file__).parents[1]

# The parent runs its ops on its main thread, because PyTorch's thread pool does not survive a fork.
FORKED = """
import os, torch
torch.set_num_threads(1)
from torch.utils.data import DataLoader
from generated.torch import rms_norm

weight = torch.arange(1.0, 9.0)
rows = torch.randn(6, 8)
wanted = rms_norm(rows, weight)

class Rows(torch.utils.data.Dataset):
    def __len__(self):
        return len(rows)

    def __getitem__(self, i):
        x = rows[i].clone().requires_grad_()
        y = rms_norm(x, weight)
        y.sum().backward()
        assert x.grad is not None
        return os.getpid(), y.detach()

pids = set()
for batch, (pid, y) in enumerate(DataLoader(Rows(), batch_size=2, num_workers=2, multiprocessing_context="fork")):
    assert torch.equal(y, wanted[2 * batch : 2 * batch + 2])
    pids |= set(pid.tolist())
assert len(pids) == 2 and os.getpid() not in pids
pid = os.fork()
if pid == 0:
    os._exit(0 if torch.equal(rms_norm(rows, weight), wanted) else 1)
assert os.waitpid(pid, 0)[1] == 0
print("fine")
"""


def test_a_fork_and_the_workers_of_a_data_loader():
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", FORKED], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.stdout == "fine\n", done.stderr


def test_callers_on_many_threads():
    weight = torch.rand(33) + 0.5

    def work(seed: int) -> bool:
        x = torch.randn(64, 33, generator=torch.Generator().manual_seed(seed))
        x.requires_grad_()
        same = True
        for _ in range(20):
            y = relu(rms_norm(x, weight))
            (dx,) = torch.autograd.grad(y.sum(), x)
            wanted = torch.relu(torch.nn.functional.rms_norm(x, (33,), weight, 1e-5))
            (exact,) = torch.autograd.grad(wanted.sum(), x)
            same &= torch.allclose(y, wanted, atol=1e-5)
            same &= torch.allclose(dx, exact, atol=1e-4)
        return same

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(8)))


def test_the_profiler_names_ops_and_their_backwards():
    x = torch.randn(4, 8, requires_grad=True)
    with profile(activities=[ProfilerActivity.CPU]) as record:
        relu(rms_norm(x, torch.ones(8))).sum().backward()
    names = {event.key for event in record.key_averages()}
    assert {"generated::rms_norm", "generated::relu"} <= names
    assert {"generated::rms_norm_bwd", "generated::relu_bwd"} <= names
    assert any("RmsNormBackward" in name for name in names)
