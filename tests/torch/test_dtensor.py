"""The rendered ops on DTensors, in four processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import generated

pytestmark = pytest.mark.slow

ROOT = Path(generated.__file__).parents[1]


@pytest.mark.parametrize(
    "worker",
    ["dtensor_worker.py", "placements_worker.py", "optimizer_worker.py"],
)
def test_four_processes(worker, tmp_path):
    command = [sys.executable, str(Path(__file__).with_name(worker))]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    workers = [
        subprocess.Popen(
            [*command, str(rank), str(tmp_path / "store")],
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(4)
    ]
    try:
        errors = [worker.communicate(timeout=900)[1] for worker in workers]
    finally:
        for worker in workers:
            worker.kill()
    assert [worker.returncode for worker in workers] == [0] * 4, "\n".join(errors)
