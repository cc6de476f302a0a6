"""Without an autograd library for the installed torch, Python is used, which is reported once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import generated

PACKAGE = Path(generated.__file__).parent
MADE_UP = "import torch\ntorch.__version__ = '2.99.0'\n"

# Compares with user code and with finite differences; nothing here depends on the torch version.
GRADIENTS = """
import generated.torch as ops, torch
from torch.autograd import gradcheck, gradgradcheck
from torch.func import grad, hessian, jvp, vmap

def native(x, weight):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-5) * weight

def loss(norm):
    return lambda x, weight: norm(x, weight).pow(3).sum()

x, weight = torch.randn(3, 4, dtype=torch.float64), torch.randn(4, dtype=torch.float64)
leaves = x.clone().requires_grad_(), weight.clone().requires_grad_()
assert gradcheck(ops.rms_norm, leaves) and gradgradcheck(ops.rms_norm, leaves)
formula = (lambda x: ops.tensor_add(x, ops.relu(x))), leaves[:1]
assert gradcheck(*formula) and gradgradcheck(*formula)
same = torch.testing.assert_close
for transform in (
    lambda f: grad(f, (0, 1))(x, weight),
    lambda f: vmap(grad(f), (0, None))(x, weight),
    lambda f: hessian(f)(x, weight),
    lambda f: jvp(f, (x, weight), (weight + x, weight)),
):
    same(transform(loss(ops.rms_norm)), transform(loss(native)))
compiled = torch.compile(loss(ops.rms_norm), fullgraph=True, backend="aot_eager")
same(torch.autograd.grad(compiled(*leaves), leaves), grad(loss(native), (0, 1))(x, weight))
q = torch.randn(1, 2, 1, 4)
before = q._version
ops.rotary_(q, torch.arange(2)[None], torch.randn(2, 4))
assert q._version > before
"""
SAID = """
import sys, warnings
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    import generated.torch
print(*(each.message for each in said))
print(sum(name.startswith("generated._opgen.torch.auto") for name in sys.modules))
"""


def run(code: str, folder: Path = PACKAGE.parent, **variables: str) -> str:
    kept = {key: value for key, value in os.environ.items() if key != "OPGEN_AUTOGRAD"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=kept | variables,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_gradients_of_a_made_up_torch():
    run(MADE_UP + GRADIENTS)


@pytest.mark.slow
def test_a_torch_without_what_is_private():
    """Gradients work without the private parts of PyTorch that a node uses."""
    run(MADE_UP + """
from torch.autograd import forward_ad, gradcheck, gradgradcheck
functorch = torch._C._functorch
del torch._C._will_engine_execute_node, functorch.set_single_level_autograd_function_allowed
import generated.torch as ops
del forward_ad._current_level
x, weight = torch.randn(3, 4).double().requires_grad_(), torch.randn(4).double().requires_grad_()
assert gradcheck(ops.rms_norm, (x, weight)) and gradgradcheck(ops.rms_norm, (x, weight))
(dx,) = torch.autograd.grad(ops.rms_norm(x, weight).sum(), x)
assert dx.shape == x.shape and ops.rms_norm(x.detach(), weight.detach()).dtype == x.dtype
""")


def test_it_is_said_once():
    said, modules = run(MADE_UP + SAID).splitlines()
    assert said.count("no autograd library for torch 2.99.0") == 1
    assert "OPGEN_AUTOGRAD=python" in said and modules == "1"


@pytest.mark.slow
def test_who_asks_for_it_is_not_told():
    assert run(MADE_UP + SAID, OPGEN_AUTOGRAD="python").splitlines() == ["", "1"]
    assert run(SAID, OPGEN_AUTOGRAD="python").splitlines() == ["", "1"]


@pytest.mark.slow
def test_nothing_of_it_is_loaded_where_there_is_a_library():
    assert run(SAID).splitlines() == ["", "0"]


@pytest.mark.slow
def test_a_library_that_does_not_load_is_done_without(tmp_path):
    """If a library does not load, Python replaces it.

    This happens if the C++ API of the installed torch has changed.
    """
    for part in ("core", "torch"):
        shutil.copytree(PACKAGE / part, tmp_path / "generated" / part)
    shutil.copy(PACKAGE / "__init__.py", tmp_path / "generated")
    (tmp_path / "generated" / "lib").mkdir()
    for library in {*(PACKAGE / "lib").iterdir()} - {PACKAGE / "lib" / "BUILD.json"}:
        if "_autograd-" in library.name:
            (tmp_path / "generated" / "lib" / library.name).write_text("no library")
        else:
            (tmp_path / "generated" / "lib" / library.name).symlink_to(library)
    said, modules = run(SAID, tmp_path).splitlines()
    assert f"no autograd library for torch {torch.__version__} (" in said and modules == "1"
    assert "too short" in said or "ELF" in said


@pytest.mark.slow
@pytest.mark.parametrize(
    "tests",
    [
        ("tests/gradients",),
        ("generated/tests/test_ops.py::rms_norm", "generated/tests/test_ops.py::cross_entropy"),
        ("generated/tests/test_ops.py::rotary_", "generated/tests/test_ops.py::adamw_"),
    ],
)
def test_what_the_library_passes_python_passes(tests):
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *tests, "-k", "torch"]
    done = subprocess.run(
        command,
        cwd=PACKAGE.parent,
        env=os.environ | {"OPGEN_AUTOGRAD": "python"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-4000:]
