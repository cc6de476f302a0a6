"""`make gpu-check` on a machine without a GPU: its error, its arguments, and its output format."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

import generated.torch
from opgen.testing import torch_checks

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "gpu_check.py"
GPU = {"name": "NVIDIA H200", "capability": "9.0", "driver": "580.1", "memory": "143771 MiB"}


@pytest.fixture(scope="module")
def gpu_check():
    spec = importlib.util.spec_from_file_location("opgen_gpu_check", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(shutil.which("nvidia-smi") is not None, reason="there may be a GPU")
def test_without_a_gpu_it_says_so_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    command = [sys.executable, str(SCRIPT), "--json", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.splitlines() == ["gpu-check: there is no GPU here, so nothing was checked"]
    assert not done.stdout and not file.exists()


def test_a_package_that_is_missing_is_named(gpu_check, monkeypatch, capsys) -> None:
    monkeypatch.setattr(gpu_check, "found_gpu", lambda: GPU)
    monkeypatch.setattr(gpu_check, "NEEDED", ("json", "no_such_package"))
    assert gpu_check.main([]) == 2
    said = capsys.readouterr().err.splitlines()
    assert said == ["gpu-check: no_such_package cannot be imported, so nothing was checked"]


def test_unknown_arguments_are_refused() -> None:
    command = [sys.executable, str(SCRIPT), "--jsom", "x"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2 and "--jsom" in done.stderr


def test_it_builds_for_the_gpu_that_is_there(gpu_check, tmp_path: Path) -> None:
    planned = gpu_check.steps("python", GPU, tmp_path / "{}.json")
    steps = {step.name: step for step in planned}
    assert [*steps][:4] == ["render", "build", "values", "gradients"]
    assert steps["build"].environment == {"CUDAARCHS": "90"}
    assert steps["memcheck"].command[0] == "compute-sanitizer"
    assert "racecheck" in steps["racecheck"].command
    assert str(tmp_path / "ratios.json") in steps["ratios"].command
    for step in planned:
        named = (word for word in step.command if word.startswith(("tests/", "generated/")))
        assert all((ROOT / word).exists() for word in named), step


def test_the_most_used_ops_are_here(gpu_check) -> None:
    wrapped = {name for name in dir(generated.torch) if not name.startswith("_")}
    assert {*gpu_check.MOST_USED} <= wrapped


def test_steps_share_the_time_and_end_with_it(gpu_check) -> None:
    given: dict[str, float] = {}

    def execute(step, seconds: float):
        given[step.name] = seconds
        return gpu_check.Outcome(step.name, "passed", 1.0, {}, "")

    planned = [gpu_check.Step(name, ("true",), 0.05) for name in ("a", "b")]
    outcomes = gpu_check.check(planned, 0.1, lambda outcomes: None, execute)
    assert [outcome.outcome for outcome in outcomes] == ["passed", "passed"]
    assert all(0 < seconds <= 3.0 for seconds in given.values())
    late = gpu_check.check(planned, 0.0, lambda outcomes: None)
    assert [outcome.outcome for outcome in late] == ["out of time", "out of time"]


def test_nothing_runs_on_a_build_that_failed(gpu_check) -> None:
    names = ["render", "build", "tests"]
    planned = [
        gpu_check.Step(
            name,
            (sys.executable, "-c", f"print('{name}'); raise SystemExit({name == 'build'})"),
            1.0,
        )
        for name in names
    ]
    lines: list[str] = []
    outcomes = gpu_check.check(
        planned, 1.0, lambda so_far: lines.append(gpu_check.line(so_far[-1]))
    )
    assert [outcome.outcome for outcome in outcomes] == ["passed", "failed", "skipped"]
    assert [line.split(" (")[0] for line in lines] == [
        "render: passed",
        "build: failed",
        "tests: skipped",
    ]
    assert outcomes[1].output == "build\n"


def test_a_step_is_stopped_in_time(gpu_check) -> None:
    command = (sys.executable, "-uc", "print('begun'); import time; time.sleep(60)")
    outcome = gpu_check.run(gpu_check.Step("slow", command, 1.0), 2.0)
    assert outcome.outcome == "out of time" and outcome.seconds < 20
    assert outcome.output == "begun\n"


def test_tests_of_a_step_that_is_killed_are_counted(gpu_check, tmp_path: Path) -> None:
    """With the options that pyproject.toml gives to pytest."""
    file = tmp_path / "test_killed.py"
    file.write_text(
        "import os, pytest\n\npytestmark = pytest.mark.gpu\n\n"
        "def test_a(): pass\n\ndef test_b(): assert False\n\n"
        "def test_c(): os.kill(os.getpid(), 9)\n"
    )
    planned = gpu_check.steps(sys.executable, GPU, tmp_path / "{}.json")
    (command,) = (step.command for step in planned if step.name == "adapters")
    given = (*command[:-1], "-n", "0", "-c", str(ROOT / "pyproject.toml"), str(file))
    outcome = gpu_check.run(gpu_check.Step("killed", given, 1.0), 60.0)
    assert outcome.outcome == "failed"
    assert outcome.counts == {"passed": 1, "failed": 1}, outcome.output
    assert "test_b" in outcome.output and "test_a" not in outcome.output


def test_the_children_of_a_step_end_with_it(gpu_check, tmp_path: Path) -> None:
    """The child processes of a step end with it.

    Otherwise they would share the GPU with the next step.
    """
    alive = tmp_path / "alive"
    command = ("sh", "-c", f"(sleep 4; touch {alive}) & sleep 60")
    assert gpu_check.run(gpu_check.Step("slow", command, 1.0), 1.0).outcome == "out of time"
    time.sleep(4)
    assert not alive.exists()


def test_a_program_that_is_not_there_is_skipped(gpu_check) -> None:
    outcome = gpu_check.run(gpu_check.Step("x", ("no-such-program",), 1.0), 2.0)
    assert outcome.outcome == "skipped" and "no-such-program" in outcome.output


@pytest.mark.parametrize(
    ("output", "counts"),
    [
        (
            "[gw0] [ 50%] PASSED a.py::b[c d] \n[gw1] [100%] SKIPPED a.py::e \n",
            {"passed": 1, "skipped": 1},
        ),
        ("..\n12 passed, 3 skipped in 4.56s\n", {"passed": 12, "skipped": 3}),
        ("1 failed, 2 passed, 1 error in 0.10s\n", {"failed": 1, "passed": 2, "error": 1}),
        (
            "5 passed in 1.0s\n========= ERROR SUMMARY: 2 errors\n",
            {"passed": 5, "sanitizer_errors": 2},
        ),
        ("========= RACECHECK SUMMARY: 0 hazards displayed (0 errors)\n", {"sanitizer_errors": 0}),
        ("nothing of the kind", {}),
    ],
)
def test_counts(gpu_check, output: str, counts: dict[str, int]) -> None:
    assert gpu_check.counts(output) == counts


def test_the_document(gpu_check, tmp_path: Path) -> None:
    bench = tmp_path / "{}.json"
    (tmp_path / "tests.json").write_text('{"rows": []}')
    outcomes = [
        gpu_check.Outcome("build", "passed", 2.0, {}, ""),
        gpu_check.Outcome("tests", "failed", 3.0, {"failed": 1}, "F"),
    ]
    whole = json.loads(json.dumps(gpu_check.document(GPU, outcomes, bench)))
    assert set(whole) == {"gpu", "versions", "passed", "seconds", "steps", "benchmark"}
    assert whole["gpu"] == GPU and whole["passed"] is False and whole["seconds"] == 5.0
    assert whole["steps"][1]["counts"] == {"failed": 1}
    assert whole["benchmark"] == {"tests": {"rows": []}}
    assert set(whole["versions"]) >= {"python", "torch", "jax", "nvcc"}


def test_a_run_that_is_cut_has_written_what_it_did(gpu_check, monkeypatch, tmp_path: Path) -> None:
    def execute(step, seconds: float):
        if step.name == "memcheck":
            raise KeyboardInterrupt
        return gpu_check.Outcome(step.name, "passed", 1.0, {"passed": 3}, "")

    monkeypatch.setattr(gpu_check, "found_gpu", lambda: GPU)
    page = tmp_path / "page.md"
    page.write_text(f"{gpu_check.BEGIN}\n{gpu_check.END}\n")
    monkeypatch.setattr(gpu_check, "NEEDED", ())
    monkeypatch.setattr(gpu_check, "PAGE", page)
    monkeypatch.setattr(gpu_check.check, "__defaults__", (execute,))
    with pytest.raises(KeyboardInterrupt):
        gpu_check.main(["--json", str(tmp_path / "all.json")])
    whole = json.loads((tmp_path / "all.json").read_text())
    assert [step["name"] for step in whole["steps"]] == ["render", "build", "values", "gradients"]
    assert json.loads((tmp_path / "all" / "values.json").read_text())["counts"] == {"passed": 3}
    assert "| gradients | passed | 1 | 3 passed |" in page.read_text()
    with pytest.raises(KeyboardInterrupt):
        gpu_check.main(["--json", str(tmp_path / "all.json"), "--from", "gradients"])
    assert [*re.findall(r"^\| (\w+) \| passed", page.read_text(), re.M)] == [
        step["name"] for step in whole["steps"]
    ]


def test_results_go_to_the_page(gpu_check, tmp_path: Path) -> None:
    outcomes = [gpu_check.Outcome("values", "passed", 2.0, {"passed": 7}, "")]
    whole = gpu_check.document(GPU, outcomes, tmp_path / "{}.json")
    page = tmp_path / "page.md"
    page.write_text(f"a\n{gpu_check.BEGIN}\nold\n{gpu_check.END}\nb\n")
    gpu_check.write_table(page, whole)
    lines = page.read_text().splitlines()
    assert lines[:2] == ["a", gpu_check.BEGIN] and lines[-2:] == [gpu_check.END, "b"]
    assert "| values | passed | 2 | 7 passed |" in lines and "old" not in lines
    assert gpu_check.BEGIN in gpu_check.PAGE.read_text()


class OnGpu(torch.Tensor):
    """A tensor that NumPy cannot read, like one on a GPU."""

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        if function is torch.Tensor.numpy:
            raise TypeError("can't convert cuda:0 device type tensor to numpy")
        made = super().__torch_function__(function, types, args, kwargs or {})
        return made.as_subclass(torch.Tensor) if function is torch.Tensor.cpu else made


def test_checks_compare_tensors_of_a_gpu() -> None:
    here = torch.tensor([1.0, float("nan")], dtype=torch.bfloat16)
    there = here.as_subclass(OnGpu)
    torch_checks.same_bits(there, here, "y")
    with pytest.raises(AssertionError, match="y is nan at \\[1\\], not 0"):
        torch_checks.same_bits(there, torch.nan_to_num(here), "y")


def test_the_calls_on_a_gpu_are_collected_in_one_order() -> None:
    """Parallel test processes collect the calls on a GPU in the same order."""
    script = (
        "from tests.gpu.test_kernels import params; print(*(p.id for p in params()), sep='\\n')"
    )
    found = []
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "OPGEN_KERNELS_ON": "cpu"}
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=ROOT)
        assert done.returncode == 0, done.stderr
        found.append(done.stdout.splitlines())
    assert len(found[0]) > 500 and found[0] == found[1]
