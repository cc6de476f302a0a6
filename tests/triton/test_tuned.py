"""Tuned values of a Triton kernel for a GPU determine its code and its grid."""

from __future__ import annotations

from pathlib import Path

import pytest

from opgen.language.dtypes import DTYPES
from tests.triton.calls import OK, call_entry, compiled, library_of, rendered_core


@pytest.mark.parametrize(
    "n, device, block, warps",
    [
        (99, 2, 64, 1),
        (100, 2, 128, 2),
        (999, 2, 128, 2),
        (1000, 2, 64, 2),
        (1000, 1, 64, 1),  # another device
    ],
)
def test_a_call_runs_what_was_chosen(
    project: Path, false_cuda: Path, tmp_path: Path, n: int, device: int, block: int, warps: int
) -> None:
    code = DTYPES["f32"].code
    given = {
        "entry": "scaled_ops_halved_cuda",
        "descriptor": rendered_core(project, "scaled_ops").halved.pack(n=n).hex(),
        "buffers": [(0x10000, [n], code), (0x20000, [n], code)],
        "context": {"stream": 1, "device": device},
        "grid": (1, 1, 1),
        "times": 1,
    }
    told = {"arch": "80", "parameters": "8,8,8,8,8"}
    run = call_entry(library_of(project), given, false_cuda, tmp_path / "log", **told)
    wanted = compiled(project, "halved", "cuda:80", constants={"BLOCK": block}, num_warps=warps)
    assert run.statuses == [OK] and run.images == [wanted.binary]
    ((grid, threads, *_),) = run.of("launch")
    assert (grid, threads) == (f"{-(-n // block)},1,1", f"{32 * warps},1,1")
