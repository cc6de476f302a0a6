"""Freed tensors, failed allocations, and leaks."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
import torch

from generated._opgen.torch import explain
from generated._opgen.torch.library import register_rule
from generated.torch import adamw_, embedding, layer_norm, relu, relu_bwd, rms_norm, tensor_add
from opgen.build.frameworks import find_frameworks
from opgen.build.runtime_files import runtime_dir

eager = import_module("generated._opgen.torch.eager")  # the module, not its function

ROOT = Path(__file__).parents[2]
X, W = torch.randn(3, 5), torch.randn(5)
OPS = torch.ops.generated


def freed(tensor: torch.Tensor) -> torch.Tensor:
    """Return a tensor with freed memory, as FSDP frees gathered parameters after their use."""
    tensor = tensor.clone(memory_format=torch.preserve_format)
    tensor.untyped_storage().resize_(0)
    return tensor


def freed_rows(count: int) -> torch.Tensor:
    """Return rows of a larger tensor with freed memory."""
    rows = torch.randn(count + 3, 5)[count:]
    rows.untyped_storage().resize_(0)
    return rows


STATE = [torch.zeros(4) for _ in range(4)]
FREED = {
    "an input": ("relu: x", lambda: relu(freed(X))),
    "a view": ("relu: x", lambda: relu(freed_rows(2))),
    "a view far from the beginning": ("relu: x", lambda: relu(freed_rows(1 << 20))),
    "not contiguous": ("relu: x", lambda: relu(freed(X.T))),
    "a weight": ("rms_norm: weight", lambda: rms_norm(X, freed(W))),
    "an optional weight": (
        "layer_norm: weight",
        lambda: layer_norm(X, freed(W), None, normalized_shape=(5,)),
    ),
    "an optional bias": (
        "layer_norm: bias",
        lambda: layer_norm(X, W, freed(W), normalized_shape=(5,)),
    ),
    "indices": ("embedding: indices", lambda: embedding(X, freed(torch.arange(3)))),
    "a table": ("embedding: weight", lambda: embedding(freed(X), torch.arange(3))),
    "of a list": (
        "adamw_: grads[0]",
        lambda: adamw_(
            STATE[:1], [freed(W[:4])], STATE[1:2], STATE[2:3], torch.tensor(0.0), torch.tensor(0.1)
        ),
    ),
    "updated": (
        "adamw_: params[0]",
        lambda: adamw_(
            [freed(W[:4])], STATE[:1], STATE[1:2], STATE[2:3], torch.tensor(0.0), torch.tensor(0.1)
        ),
    ),
    "a result": ("relu: out", lambda: relu(X, out=freed(X))),
    "dispatched": ("relu: x", lambda: OPS.relu.default(freed(X))),
    "for a gradient": ("rms_norm: x", lambda: rms_norm(freed(X), W.clone().requires_grad_())),
}


@pytest.mark.parametrize(("name", "call"), FREED.values(), ids=FREED)
def test_a_freed_storage_is_refused(name: str, call: Callable) -> None:
    with pytest.raises(
        ValueError,
        match=rf"^{re.escape(name)}: expected memory for its \d+ elements, got none: it was freed$",
    ):
        call()


def test_what_has_no_elements_needs_no_memory() -> None:
    empty = freed(torch.empty(0, 5))
    assert relu(empty).shape == (0, 5)
    assert rms_norm(empty, W).shape == (0, 5)
    assert layer_norm(empty, W, W, normalized_shape=(5,)).shape == (0, 5)
    assert embedding(X, torch.empty(0, dtype=torch.int64)).shape == (0, 5)


HUGE = torch.ones(1).expand(1 << 40, 128)
TOO_LARGE = {
    "direct": lambda: tensor_add(HUGE, HUGE),
    "dispatched": lambda: OPS.tensor_add.default(HUGE, HUGE),
    "with a gradient": lambda: tensor_add(HUGE, HUGE.detach().requires_grad_()),
    "a backward": lambda: relu_bwd(HUGE, HUGE),
}


@pytest.mark.parametrize("call", TOO_LARGE.values(), ids=TOO_LARGE)
def test_an_allocation_that_fails_keeps_the_words_of_torch(call: Callable) -> None:
    with pytest.raises(RuntimeError, match="DefaultCPUAllocator: can't allocate memory") as caught:
        call()
    assert len(caught.value.args) == 1  # libraries that retry with a smaller batch look at this


def test_a_torch_that_keeps_its_words_is_asked_again() -> None:
    """Before 2.13 torch does not report why an allocation failed.

    The wrapper then allocates the results itself to get the message.
    """
    silent = RuntimeError("torch failed to allocate a tensor")
    found = explain("tensor_add", silent, HUGE, HUGE)
    assert isinstance(found, RuntimeError) and "can't allocate memory" in str(found)
    assert explain("tensor_add", silent, X, X) is silent


@pytest.fixture(scope="module")
def no_memory(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """Compile no_memory.cpp and return the path of the library."""
    compiler = os.environ.get("CXX") or shutil.which("c++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    places, runtime = find_frameworks(), runtime_dir()
    library = tmp_path_factory.mktemp("no_memory") / "libno_memory.so"
    flags = f"-std=c++17 -O1 -fPIC -shared -fvisibility=hidden -Wall -Wextra -Werror -DTORCH_TARGET_VERSION=0x020a000000000000ULL -I{runtime}/include -I{runtime}/adapters/torch/include -isystem{places.torch_include} -L{places.torch_lib} -Wl,--no-as-needed -ltorch"
    command = [compiler, str(Path(__file__).parent / "no_memory.cpp"), *flags.split()]
    built = subprocess.run([*command, "-o", str(library)], capture_output=True, text=True)
    assert built.returncode == 0, built.stderr[:4000]
    torch.ops.load_library(str(library))
    return ctypes.CDLL(str(library))


def test_a_device_without_memory_is_torch_s_own_error(no_memory: ctypes.CDLL) -> None:
    register_rule("op f -> y\nformula x cotangent:y", "no_memory")
    op = torch.ops.no_memory.f.default
    find = ctypes.cast(no_memory.opgen_direct, ctypes.c_void_p)
    direct = eager._make(b"no_memory::f", b"", op._op, find)
    for call in (op, direct):
        for x in (X, X.clone().requires_grad_()):
            with pytest.raises(torch.OutOfMemoryError, match="^f: CUDA out of memory"):
                call(x)


LEAKS = int(os.environ.get("OPGEN_LEAK_CALLS", 500))


@pytest.mark.slow
def test_no_call_of_any_op_leaves_memory_behind() -> None:
    """No call of any op leaks memory: forward, backward and refused calls, direct and dispatched.

    `OPGEN_LEAK_CALLS` sets the number of calls.
    """
    command = [sys.executable, str(Path(__file__).parent / "leaks.py"), str(LEAKS)]
    run = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert run.returncode == 0, run.stderr[-4000:]
    rows = [line.split("\t") for line in run.stdout.splitlines()]
    assert len({op for op, *_ in rows}) >= 15
    assert {way for _, way, *_ in rows} >= {
        "direct",
        "dispatched",
        "backward",
        "refused",
        "out of range",
    }
    leaking = [row for row in rows if float(row[2]) > 0.5 or float(row[3]) > 0.05]
    assert not leaking
