"""Write tables of tuned values for the test project, in the format of `opgen tune`."""

from __future__ import annotations

import os
from pathlib import Path

from opgen.bench.tune_command import table_text
from opgen.compiler.pipeline import load
from opgen.spec.config import load_config
from opgen.spec.tuned import file_name


def device_name() -> str:
    """Return the processor's name that the C++ runtime uses."""
    lines = (line.partition(":") for line in Path("/proc/cpuinfo").read_text().splitlines())
    facts: dict[str, str] = {}
    for key, _, value in lines:
        facts.setdefault(key.strip(), value.strip())
    if "model name" in facts and "cpu family" in facts:
        return f"{facts['model name']}, family {facts['cpu family']} model {facts['model']}"
    return f"CPU implementer {facts['CPU implementer']} part {facts['CPU part']}"


# By op or `op.kernel`: dtype, least sizes `batch` and `d`, and the tuned values for these calls.
CHOSEN = {
    "paced": [
        ("f32", 4, 8, {"chunk": 2, "limit": 9}),
        ("f32", 8, 16, {"chunk": 4, "limit": 7}),
        ("bf16", 4, 8, {"chunk": 4, "limit": 9}),
    ],
    "paced_by_width.paced_wide": [(None, 4, 8, {"chunk": 2})],
    "paced_by_width.paced_narrow": [("f32", 4, 0, {"chunk": 4})],
}
# The table of another device. No call in these tests gets these values.
ELSEWHERE = {"paced": [("f32", 0, 0, {"chunk": 4, "limit": 9})]}
# 8 is the number of JAX devices in tests.
THREADS = tuple(sorted({1, 2, 8, len(os.sched_getaffinity(0))}))


def write_table(folder: Path, device: str = "") -> Path:
    """Write the table of `device`, by default this machine's processor. Return its path."""
    chosen = ELSEWHERE if device else CHOSEN
    config, _, _ = load_config(folder)
    listed = folder / "specs" / "listed.toml"
    project, found, _ = load([listed], config)
    assert project is not None, found
    signatures = {
        f"{op.name}.{kernel.name}" if kernel.listed else op.name: kernel.tune.signature
        for op in project.ops
        for kernel in op.kernels
        if kernel.tune
    }
    kernels = {
        key: {
            "signature": signatures[key],
            "rows": [
                {
                    "threads": threads,
                    "dtypes": {} if dtype is None else {"T": dtype},
                    "sizes": {"batch": batch, "d": d},
                    "values": values,
                    "default_us": 2.0,
                    "us": 1.0,
                }
                for dtype, batch, d, values in rows
                for threads in THREADS
            ],
        }
        for key, rows in chosen.items()
    }
    device = device or device_name()
    path = folder / "tuned" / file_name(device)
    path.parent.mkdir(exist_ok=True)
    path.write_text(table_text(device, "cpu", kernels))
    return path
