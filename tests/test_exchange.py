"""`opgen export` and `opgen import flashinfer`: ops in formats of other projects, and back."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from opgen.cli.main import main

torch = pytest.importorskip("torch")
ROOT = Path(__file__).parent.parent
OPS = ("topk_softmax", "silu_and_mul", "rms_norm")
PROJECT = '[tool.opgen]\npackage = "p"\nout = "p"\nnamespace = "p"\n'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a folder for exports next to a project with some ops of this repository."""
    specs = tmp_path / "source/specs"
    specs.mkdir(parents=True)
    (tmp_path / "source/pyproject.toml").write_text(PROJECT)
    for op in OPS:
        shutil.copytree(ROOT / f"runtime/kernels/{op}", tmp_path / f"source/kernels/{op}")
        for suffix in (".toml", ".py"):
            (specs / f"{op}{suffix}").write_text((ROOT / f"specs/{op}{suffix}").read_text())
    monkeypatch.chdir(tmp_path / "source")
    return tmp_path / "exported"


def loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read(folder: Path) -> dict[str, Any]:
    """Return the Definitions of a FlashInfer-Bench dataset by name."""
    files = folder.glob("definitions/*/*.json")
    return {each.stem: json.loads(each.read_text()) for each in files}


@pytest.mark.parametrize("op", OPS)
def test_definitions_run(here: Path, op: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "flashinfer", op, "--to", str(here)]) == 0
    assert "lost: the gradient" in capsys.readouterr().err
    for name, told in read(here).items():
        axes = {n: axis.get("value") for n, axis in told["axes"].items()}
        shapes = [v["shape"] for v in told["inputs"].values() if v["shape"] is not None]
        # The format takes the sizes of variable axes from the inputs.
        assert {n for n, size in axes.items() if size is None} <= {n for s in shapes for n in s}
        scope: dict[str, Any] = {}
        exec(told["reference"], scope)
        lines = (here / f"workloads/{op}/{name}.jsonl").read_text().splitlines()
        assert lines
        for line in lines:
            load = json.loads(line)["workload"]
            sizes = {**axes, **load["axes"]}
            given = []
            for key, value in told["inputs"].items():
                if value["shape"] is None:
                    given.append(load["inputs"][key]["value"])
                else:
                    drawn = torch.rand([sizes[n] for n in value["shape"]])
                    given.append(drawn.to(getattr(torch, value["dtype"])))
            made = scope["run"](*given)
            made = made if isinstance(made, tuple) else (made,)
            for result, value in zip(made, told["outputs"].values(), strict=True):
                assert list(result.shape) == [sizes[n] for n in value["shape"]]
                assert result.dtype == getattr(torch, value["dtype"])


@pytest.mark.parametrize("op", OPS)
def test_there_and_back(here: Path, op: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["export", "flashinfer", op, "--to", str(here)]) == 0
    name, told = max(read(here).items())
    project = here.parent / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text(PROJECT)
    monkeypatch.chdir(project)
    definition = here / f"definitions/{op}/{name}.json"
    assert main(["import", "flashinfer", str(definition)]) == 0
    assert main(["lint"]) == main(["render"]) == 0
    assert main(["export", "flashinfer", name]) == 0
    ((again, back),) = read(Path("flashinfer")).items()
    spec = (project / f"specs/{name}.toml").read_text()
    # Names of axes that only results have are lost, as the draft reports.
    inputs = {n for v in told["inputs"].values() for n in v["shape"] or ()}
    own = {n: f"size_{axis['value']}" for n, axis in told["axes"].items() if n not in inputs}
    assert bool(own) == ("Left out: the names of axes that results alone have." in spec)
    for shaped in told["outputs"].values():
        shaped["shape"] = [own.get(n, n) for n in shaped["shape"]]
    told["axes"] = {own.get(n, n): axis for n, axis in told["axes"].items()}
    told["constraints"] = [
        text.replace("k <=", f"{told['axes'][own['k']]['value']} <=") if "k" in own else text
        for text in told["constraints"]
    ]
    for key in ("axes", "inputs", "outputs", "constraints", "description"):
        assert back[key] == told[key], key
    loads = [
        (here / f"workloads/{op}/{name}.jsonl"),
        Path(f"flashinfer/workloads/{name}/{again}.jsonl"),
    ]
    first, second = (
        [json.loads(line)["workload"] for line in file.read_text().splitlines()] for file in loads
    )
    assert [(a["axes"], a["inputs"]) for a in first] == [(b["axes"], b["inputs"]) for b in second]


def test_a_problem_of_kernelbench(here: Path) -> None:
    assert main(["export", "kernelbench", "rms_norm", "--to", str(here)]) == 0
    module = loaded(here / "rms_norm/1_rms_norm_f32.py")
    model, (x, weight) = module.Model(*module.get_init_inputs()), module.get_inputs()
    right = torch.nn.functional.rms_norm(x, weight.shape, weight, 1e-5)
    torch.testing.assert_close(model(x, weight), right)


def test_a_task_of_gpu_mode(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["export", "gpumode", "rms_norm", "--to", str(here)]) == 0
    folder = here / "rms_norm_f32"
    task = yaml.safe_load((folder / "task.yml").read_text())
    # The comparison functions of the other project, which is not on the package index.
    utils = ModuleType("utils")
    utils.make_match_reference = lambda reference, rtol, atol: lambda data, output: (  # type: ignore[attr-defined]
        torch.allclose(reference(data), output, rtol=rtol, atol=atol)
    )
    monkeypatch.setitem(sys.modules, "utils", utils)
    monkeypatch.setitem(sys.modules, "task", loaded(folder / "task.py"))
    reference = loaded(folder / "reference.py")
    for call in task["tests"]:
        # The rules of the other project's parser, which reports only "invalid test case".
        assert all(re.fullmatch("[a-zA-Z]+", n) and type(v) is int for n, v in call.items())
        x, weight, eps = data = reference.generate_input(**call)
        right = torch.nn.functional.rms_norm(x, weight.shape, weight, eps)
        assert reference.check_implementation(data, right)
        assert not reference.check_implementation(data, right + 0.01)


def test_a_task_with_several_results(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["export", "gpumode", "topk_softmax", "--to", str(here)]) == 0
    utils = ModuleType("utils")
    utils.make_match_reference = lambda reference, rtol, atol: lambda data, output: (  # type: ignore[attr-defined]
        "" if torch.allclose(reference(data), output, rtol=rtol, atol=atol) else "wrong"
    )
    monkeypatch.setitem(sys.modules, "utils", utils)
    monkeypatch.setitem(sys.modules, "task", loaded(here / "topk_softmax_f32_k8/task.py"))
    reference = loaded(here / "topk_softmax_f32_k8/reference.py")
    task = yaml.safe_load((here / "topk_softmax_f32_k8/task.yml").read_text())
    data = reference.generate_input(**task["tests"][0])
    values, indices = reference.ref_kernel(data)
    assert reference.check_implementation(data, (values, indices)) == ""
    assert reference.check_implementation(data, (values, indices + 1)) == "wrong"
    assert reference.check_implementation(data, (values + 1, indices)) == "wrong"


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ("{", "is no JSON"),
        ("[]", "is no Definition of FlashInfer-Bench: it has no `name`"),
        ({"axes": {}}, "`x` has an axis `n` that is none of `axes`"),
        ({"inputs": {"x": {"shape": None}}}, "`x` has no shape and dtype"),
        ({"reference": "def go(x): pass"}, "its reference has no function `run`"),
        ({"reference": "def run(x"}, "its reference is no Python"),
        (
            {"inputs": {"x": {"shape": ["n"], "dtype": "float4_e2m1"}}},
            "`x` has a dtype that no op has: float4_e2m1",
        ),
    ],
)
def test_no_definition(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    told: Any,
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").write_text(PROJECT)
    tensor = {"shape": ["n"], "dtype": "float32"}
    whole = {"name": "f", "axes": {"n": {"type": "var"}}, "reference": "def run(x): return x"}
    whole = {**whole, "inputs": {"x": tensor}, "outputs": {"y": tensor}}
    text = told if isinstance(told, str) else json.dumps({**whole, **told})
    Path("d.json").write_text(text)
    assert main(["import", "flashinfer", "d.json"]) == 2
    error = capsys.readouterr().err
    assert says in error and "Traceback" not in error


def test_what_no_format_says(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for op, says in (
        ("rms_norm_bwd", "rms_norm_bwd has no reference of its own"),
        ("topk_softmax", "topk_softmax has several results, and KernelBench compares one tensor"),
        ("rms_nrom", "there is no op `rms_nrom`: did you mean `rms_norm`?"),
    ):
        assert main(["export", "kernelbench", op, "--to", str(here)]) == 2
        assert says in capsys.readouterr().err
