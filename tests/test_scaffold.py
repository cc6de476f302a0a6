"""Initial kernel files have signatures that compile, and are never overwritten."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from opgen.build.runtime_files import include_dir
from opgen.cli.main import main

SPEC = """\
spec = 1

[dtypes]
T = ["f32", "bf16"]

[ops.ema_]
doc            = "Exponential moving average of lists of tensors, in place."
inputs.avgs    = { dtype = "T", shape = "*s[i]", list = "n", update = true }
inputs.values  = { dtype = "T", shape = "*s[i]", list = "n" }
attrs.decay    = { type = "float", default = 0.99 }
grad           = "none"
sharding       = "replicate"
kernels        = [{ on = "cpu", symbol = "moving_average" }]

[ops.negate]
doc            = "Elementwise `-x`."
inputs.x       = { dtype = "T", shape = "*s" }
outputs.y      = { dtype = "T", shape = "*s" }
grad.formulas  = { x = "-dy" }
sharding.split = ["s"]
kernels        = [
    { on = "cpu", symbol = "negate", dispatch = [], scratch = "negate_bytes" },
    { on = "cuda", symbol = "negate" },
]
"""
# Calls every kernel once for each row of its dispatch table, like the rendered entry functions.
USE = """\
template opgen::Status generated::cpu::moving_average(const generated::Ema_View<float>&) noexcept;
int main() {
  const bool refused = generated::negate(nullptr) == opgen::Status::unsupported;
  return refused && generated::cpu::negate_bytes({}, {}) == 0 ? 0 : 1;
}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "means.toml").write_text(SPEC)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_compiles_and_refuses_calls(project: Path) -> None:
    assert main(["scaffold"]) == 0
    assert main(["render"]) == 0
    text = (project / "kernels/means/means.cpp").read_text()
    (project / "program.cpp").write_text(text + USE)
    command = [
        shutil.which("c++"),
        "-std=c++17",
        "-Wall",
        "-Werror",
        "-Wno-unused-parameter",
        f"-I{include_dir()}",
        "-Igenerated/cpp",
        "program.cpp",
        "-o",
        "program",
    ]
    subprocess.run(command, check=True)
    subprocess.run(["./program"], check=True)


def test_each_platform_has_its_own(project: Path) -> None:
    assert main(["scaffold"]) == 0
    cuda = (project / "kernels/means/means.cu").read_text()
    assert "namespace generated::cuda" in cuda and "negate(" in cuda
    assert "moving_average" not in cuda


def test_what_is_written_stays(project: Path) -> None:
    assert main(["scaffold"]) == 0
    kernel = project / "kernels/means/means.cpp"
    kernel.write_text("// mine")
    assert main(["scaffold"]) == 0
    assert kernel.read_text() == "// mine"


def test_a_wrong_spec_begins_nothing(project: Path) -> None:
    (project / "specs" / "means.toml").write_text(SPEC.replace("dtype", "dtpye", 1))
    assert main(["scaffold"]) == 1
    assert not (project / "kernels").exists()
