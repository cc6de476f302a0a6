"""PyTorch's adapter launches the code that Triton compiled, with the arguments of its signature."""

from __future__ import annotations

import shutil
import struct
import sys
from pathlib import Path

import pytest
import torch

from opgen.build.cmake import build
from opgen.build.frameworks import find_frameworks
from opgen.cli.main import main
from opgen.spec.config import Config
from tests.cuda_stand_in import device
from tests.cuda_stand_in.child import in_child
from tests.cuda_stand_in.paths import ROOT

SCRATCH = "0 0"  # addresses of memory that the code does not use


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's folder, rendered and built for the stand-in's devices."""
    pytest.importorskip("triton", minversion="3.9")
    folder = tmp_path_factory.mktemp("triton") / "project"
    shutil.copytree(ROOT / "tests" / "triton" / "project", folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("CUDAARCHS", "90")
        patch.setenv("PYTORCH_ROCM_ARCH", "")
        # The compiler of Triton asks no device.
        patch.delenv("LD_LIBRARY_PATH")
        assert main(["render", "specs"]) == 0
        config = Config(folder, package="scaled_ops", namespace="scaled_ops")
        build(config, folder / "scaled_ops", frameworks=find_frameworks().torch_alone)
    return folder


@pytest.mark.parametrize(
    "dtype, d, biased", [(torch.bfloat16, 64, False), (torch.float32, 33, True)]
)
def test_a_call_launches_its_code(project: Path, dtype: torch.dtype, d: int, biased: bool) -> None:
    def work() -> str:
        sys.path.insert(0, str(project))
        import scaled_ops.torch as ops

        device.allocate_each_tensor()
        x, kept = torch.zeros(5, d, dtype=dtype).to("cuda:1"), torch.ones(5).bool().to("cuda:1")
        bias = torch.zeros(d).to("cuda:1") if biased else None
        device.synchronize()
        device.happenings()
        with torch.cuda.stream(torch.cuda.Stream("cuda:1")):
            torch.cuda.set_device(0)
            stream = torch.cuda.current_stream("cuda:1")
            torch.cuda.Event().record(stream)
            y = ops.scaled(x, kept, bias, by=0.5, negate=True)
        found = [h for h in device.happenings() if h.kind in ("event", "launch")]
        device.synchronize()
        assert len({(h.device, h.stream) for h in found}) == 1 and found[0].device == 1, found
        pointers = [x.data_ptr(), kept.data_ptr(), *([bias.data_ptr()] if biased else [0])]
        (half,) = struct.unpack("<I", struct.pack("<f", 0.5))
        given = f"{' '.join(map(str, pointers))} {y.data_ptr()} {d} {half} 1 {SCRATCH}"
        (launched,) = (h.what for h in found if h.kind == "launch")
        expected = f"rows of 5x1x1 blocks, 0 bytes: {given}"
        return "" if launched == expected else f"{launched}\n{expected}"

    assert in_child(work) == ""
