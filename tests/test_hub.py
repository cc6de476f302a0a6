"""`opgen package --hub`: the folder that Hugging Face's `kernels` loads."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

for name in ("scikit_build_core", "build", "auditwheel", "tomlkit"):
    pytest.importorskip(name, reason=f"opgen[package] is not installed: {name}")

from opgen.build.frameworks import Frameworks
from opgen.cli.main import main
from opgen.compiler.pipeline import load
from opgen.package import hub
from opgen.package.metadata import metadata
from opgen.spec.config import load_config

CPU = "torch-stable-abi210-cpu-x86_64-linux"
PROJECT = """
[project]
name = "norm-ops"
version = "2.0"
license = "MIT"
"""
LAYERS = """
from torch import Tensor, nn

from norm_ops.torch import row_norm

__all__ = ["LlamaRMSNorm"]


class LlamaRMSNorm(nn.Module):
    can_torch_compile = True
    has_backward = True

    def forward(self, hidden_states: Tensor) -> Tensor:
        return row_norm(hidden_states, self.weight, eps=self.variance_epsilon)
"""

# Imports a variant and replaces layers by its own, like `kernels`. The argument is its folder.
LOADS = """
import importlib.util, inspect, json, sys
from pathlib import Path
from types import MethodType
import torch
from torch import nn

folder = Path(sys.argv[1])
name = json.loads((folder / "metadata.json").read_text())["id"]
spec = importlib.util.spec_from_file_location(name, folder / "__init__.py")
kernel = sys.modules[name] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(kernel)
assert "row_norm" in kernel.__all__

class LlamaRMSNorm(nn.Module):
    def __init__(self, size, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.linspace(0.5, 1.5, size))
        self.variance_epsilon = eps

    def forward(self, hidden_states):
        variance = hidden_states.pow(2).mean(-1, keepdim=True)
        return self.weight * (hidden_states * torch.rsqrt(variance + self.variance_epsilon))

layer = kernel.layers.LlamaRMSNorm
assert layer.__init__ is nn.Module.__init__ and layer.can_torch_compile and layer.has_backward
members = {name for name, _ in inspect.getmembers(layer)}
assert members - {name for name, _ in inspect.getmembers(nn.Module)} <= {"can_torch_compile", "has_backward"}
kinds = [[p.kind for p in inspect.signature(c.forward).parameters.values()] for c in (layer, LlamaRMSNorm)]
assert kinds[0] == kinds[1]

plain, ours = LlamaRMSNorm(24, 1e-2), LlamaRMSNorm(24, 1e-2)
ours.forward = MethodType(layer.forward, ours)
x = torch.randn(5, 24)
for module in (plain, ours):
    module(x).square().sum().backward()
torch.testing.assert_close(ours(x), plain(x))
torch.testing.assert_close(ours.weight.grad, plain.weight.grad)
compiled = torch.compile(ours, fullgraph=True, backend="aot_eager")
torch.testing.assert_close(compiled(x), plain(x))
assert not {"jax", "opgen"} & {*sys.modules}
"""

# A small random Llama of transformers, trained for three steps with the RMSNorm of the folder.
LLAMA = """
import copy, os, sys
os.environ["HF_HUB_OFFLINE"] = "1"
from pathlib import Path
import torch
from kernels import LocalLayerRepository, Mode, kernelize, replace_kernel_forward_from_hub, use_kernel_mapping
from transformers import LlamaConfig, LlamaForCausalLM
from transformers.models.llama.modeling_llama import LlamaRMSNorm

replace_kernel_forward_from_hub(LlamaRMSNorm, "RMSNorm")  # transformers 5.23 does so from kernels 0.18.2 on
torch.manual_seed(0)
sizes = dict(hidden_size=32, intermediate_size=64, num_hidden_layers=2, vocab_size=64)
plain = LlamaForCausalLM(LlamaConfig(**sizes, num_attention_heads=4, num_key_value_heads=2))
ours = copy.deepcopy(plain)
layer = LocalLayerRepository(repo_path=Path(sys.argv[1]), layer_name="LlamaRMSNorm")
with use_kernel_mapping({"RMSNorm": {"cpu": layer}}, inherit_mapping=False):
    kernelize(ours, mode=Mode.TRAINING | Mode.TORCH_COMPILE, device="cpu", use_fallback=False)
swapped = [m for m in ours.modules() if m.forward.__func__.__module__.startswith("_norm_ops_cpu_")]
assert len(swapped) == 5, swapped
ids = torch.randint(0, 64, (2, 16))
losses = []
for model in (plain, ours):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for _ in range(3):
        loss = model(ids, labels=ids).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.detach())
torch.testing.assert_close(losses[:3], losses[3:], rtol=1e-4, atol=1e-4)
compiled = torch.compile(ours, fullgraph=True, backend="aot_eager")
torch.testing.assert_close(compiled(ids).logits, ours(ids).logits, rtol=1e-4, atol=1e-4)
compiled(ids, labels=ids).loss.backward()
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hub")
    here = os.getcwd()
    os.chdir(folder)
    try:
        assert main(["init", "norm_ops", "--like", "norm"]) == 0
        with (folder / "pyproject.toml").open("a") as file:
            file.write(PROJECT)
        (folder / "specs/row_norm_torch_layers.py").write_text(LAYERS)
        assert main(["render"]) == 0
    finally:
        os.chdir(here)
    return folder


def written(
    project: Path,
    folder: Path,
    *,
    cuda: bool = False,
    hip: bool = False,
    rocm: str = "",
    tag: str = "manylinux_2_28_x86_64",
    layers: tuple[str, ...] = ("torch/layers/__init__.py",),
) -> list[Path]:
    """Write the folder for the Hub from an almost empty wheel; `rocm` is PyTorch's ROCm version."""
    config = load_config(project)[0]
    wheel = folder / f"norm_ops-2.0-py3-none-{tag}.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        python = ("jax/__init__.py", "torch/__init__.py", *layers)
        for name in (*python, "lib/libnorm_ops_jax-0123.so"):
            archive.writestr(f"norm_ops/{name}", "")
        archive.writestr("norm_ops/lib/BUILD.json", json.dumps({"cuda": cuda, "hip": hip}))
        archive.writestr("norm_ops-2.0.dist-info/METADATA", "")
    ops, found, _ = load([project / "specs/row_norm.toml"], config)
    assert ops is not None and not found
    described = metadata(config, "opgen-headers")
    frameworks = Frameworks(*[""] * 9, torch_rocm=rocm)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hub, "find_frameworks", lambda: frameworks)
        return hub.write_hub(config, ops, described, wheel, folder)


def test_what_is_written(project: Path, tmp_path: Path) -> None:
    (variant,) = written(project, tmp_path)
    assert variant == tmp_path / "build" / CPU
    files = {path.relative_to(variant).as_posix() for path in variant.rglob("*") if path.is_file()}
    assert files == {
        "__init__.py",
        "layers.py",
        "metadata.json",
        "provenance.json",
        "torch/__init__.py",
        "torch/layers/__init__.py",
        "lib/BUILD.json",
    }
    found = json.loads((variant / "metadata.json").read_text())
    assert found.pop("id").startswith("_norm_ops_cpu_")
    assert found == {
        "name": "norm-ops",
        "version": 1,
        "license": "MIT",
        "python-depends": [],
        "backend": {"type": "cpu"},
    }
    assert "from .torch.layers import *" in (variant / "layers.py").read_text()
    (variant,) = written(project, tmp_path, layers=())
    assert (variant / "layers.py").read_text() == "__all__ = []\n"


def test_digests_provenance_and_card(project: Path, tmp_path: Path) -> None:
    (variant,) = written(project, tmp_path)
    said = json.loads((variant / "provenance.json").read_text())
    found = {each["name"]: each["digest"]["sha256"] for each in said["subject"]}
    files = {path.relative_to(variant).as_posix() for path in variant.rglob("*") if path.is_file()}
    assert found.keys() == files - {"provenance.json"}
    for name, digest in found.items():
        assert hashlib.sha256((variant / name).read_bytes()).hexdigest() == digest
    wheel, *_ = said["predicate"]["buildDefinition"]["resolvedDependencies"]
    (made,) = tmp_path.glob("*.whl")
    assert wheel["digest"]["sha256"] == hashlib.sha256(made.read_bytes()).hexdigest()
    card = tmp_path / "README.md"
    assert card.read_text().startswith("---\nlibrary_name: kernels\nlicense: mit\n")
    assert "| `row_norm` | " in card.read_text() and "row_norm_bwd" not in card.read_text()
    card.write_text("mine")
    written(project, tmp_path)
    assert card.read_text() == "mine"


def test_the_commit_and_what_was_changed_after_it(project: Path, tmp_path: Path) -> None:
    copy = tmp_path / "project"
    shutil.copytree(project, copy)
    (copy / "hub").mkdir()
    who = ["-c", "user.name=x", "-c", "user.email=x"]
    for line in (["init", "-q"], ["add", "-A"], [*who, "commit", "-q", "-m", "x"]):
        subprocess.run(["git", *line], cwd=copy, check=True)

    def commit() -> dict[str, object]:
        (variant,) = written(copy, copy / "hub")
        said = json.loads((variant / "provenance.json").read_text())
        return said["predicate"]["buildDefinition"]["resolvedDependencies"][1]

    first = commit()
    assert first["digest"].keys() == {"gitCommit"} and "annotations" not in first
    assert commit() == first  # the folder for the Hub does not change the commit
    (copy / "specs/new.toml").write_text("")
    assert commit()["annotations"] == {"changed": True}


@pytest.mark.parametrize("tag", ["manylinux_2_28_aarch64", "linux_aarch64"])
def test_the_machine_of_a_wheel_is_in_the_name(project: Path, tmp_path: Path, tag: str) -> None:
    (folder,) = written(project, tmp_path, tag=tag)
    assert folder.name == CPU.replace("x86_64", "aarch64")


def test_a_wheel_of_another_system_has_no_folder(project: Path, tmp_path: Path) -> None:
    with pytest.raises(hub.BuildError, match="is not for Linux"):
        written(project, tmp_path, tag="macosx_14_0_arm64")


def test_a_second_time_replaces_the_first(project: Path, tmp_path: Path) -> None:
    (variant,) = written(project, tmp_path)
    (variant / "of_an_earlier_build.py").write_text("")
    (variant.parent / f".{CPU}.new").mkdir()  # left by a killed run
    assert written(project, tmp_path) == [variant]
    assert not (variant / "of_an_earlier_build.py").exists()
    assert [path.name for path in variant.parent.iterdir()] == [CPU]


def test_cuda_has_a_variant_of_its_own(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nvcc = tmp_path / "nvcc"
    nvcc.write_text("#!/bin/sh\necho Cuda compilation tools, release 12.8, V12.8.61\n")
    nvcc.chmod(0o755)
    monkeypatch.setattr(hub, "find_nvcc", lambda: str(nvcc))
    monkeypatch.setenv("CUDAARCHS", "80;100a")
    cpu, cuda = written(project, tmp_path, cuda=True)
    assert (cpu.name, cuda.name) == (CPU, CPU.replace("cpu", "cu128"))
    found = json.loads((cuda / "metadata.json").read_text())
    assert found["backend"] == {"type": "cuda", "archs": ["8.0", "10.0a"]}


def test_a_variant_for_cuda_needs_its_version(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A variant for CUDA is refused if the CUDA version is unknown.

    nvcc reports the version, but kernels in Triton are compiled without nvcc.
    """
    monkeypatch.setattr(hub, "find_nvcc", lambda: None)
    with pytest.raises(hub.BuildError, match="which nvcc tells: there is none, neither"):
        written(project, tmp_path, cuda=True)


def test_rocm_has_a_variant_of_its_own(
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PYTORCH_ROCM_ARCH", "gfx942;gfx90a")
    cpu, rocm = written(project, tmp_path, cuda=True, hip=True, rocm="6.4.43482-0f2d60242")
    assert (cpu.name, rocm.name) == (CPU, CPU.replace("cpu", "rocm64"))
    found = json.loads((rocm / "metadata.json").read_text())
    assert found["id"].startswith("_norm_ops_rocm_")
    assert found["backend"] == {"type": "rocm", "archs": ["gfx90a", "gfx942"]}
    assert "no variant for the kernels for CUDA: PyTorch here is not" in capsys.readouterr().out


def test_kernels_that_pytorch_is_not_for_have_none(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [variant.name for variant in written(project, tmp_path, hip=True)] == [CPU]
    said = capsys.readouterr().out
    assert "no variant for the kernels for AMD's GPUs: PyTorch here is not one for ROCm" in said


@pytest.mark.parametrize("table", ["version = 0", "layers.A = { op = 'f' }", "a = 1"])
def test_a_wrong_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], table: str
) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.opgen.hub]\n{table}\n")
    monkeypatch.chdir(tmp_path)
    assert main(["lint"]) == 2
    assert (
        "a number from 1 on; layers are classes in a file `<family>_torch_layers.py`"
        in capsys.readouterr().out
    )


@pytest.fixture(scope="module")
def built(project: Path) -> Path:
    """Build the folder for the Hub and return it."""
    command = [sys.executable, "-m", "opgen", "package", "--hub", "hub"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return project / "hub"


def run(program: str, folder: Path) -> None:
    command = [sys.executable, "-c", program, str(folder)]
    done = subprocess.run(command, cwd="/", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_layer_replaces_a_module(built: Path) -> None:
    run(LOADS, built / "build" / CPU)


@pytest.mark.slow
@pytest.mark.skipif(
    not (find_spec("kernels") and find_spec("transformers")), reason="kernels is not installed"
)
def test_kernels_swaps_the_norms_of_a_llama(built: Path) -> None:
    run(LLAMA, built)
