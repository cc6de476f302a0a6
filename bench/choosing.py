"""Measure the cost of choosing among four kernels of an op, or among tuned values, in small calls.

All ops copy 8x128 f32 elements. Each call runs the last kernel of a list, so opgen evaluates the
conditions of all other kernels. The table of tuned values has several rows for the call's dtype. No
caller requires a guarantee, such as deterministic results.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

import torch

from generated._opgen.core.tuned import TunedKernel
from opgen.bench.harness import Claim, Group
from opgen.bench.tune_command import table_text
from opgen.build.cmake import build
from opgen.build.frameworks import find_frameworks
from opgen.compiler.pipeline import load
from opgen.output.render import render
from opgen.output.write import write
from opgen.spec.config import Config
from opgen.spec.tuned import file_name

NAME = "bench_choosing"
SPEC = """
spec = 1

[dtypes]
T = ["f32"]

[ops.alone]
doc         = "A copy of `x`."
inputs.x    = { dtype = "T", shape = "n d" }
outputs.y   = { dtype = "T", shape = "n d" }
grad        = "none"
sharding    = "replicate"
kernels     = [{ on = "cpu", symbol = "alone" }]

[ops.of_four]
like        = "alone"
kernels     = [
    { on = "cpu", symbol = "first", require = ["d >= 512"] },
    { on = "cpu", symbol = "second", require = ["d % 3 == 0", "n <= 4"] },
    { on = "cpu", symbol = "third", require = ["n * d >= 65536"] },
    { on = "cpu", symbol = "fourth" },
]

[ops.promising]
like        = "alone"
guarantees  = []
kernels     = [
    { on = "cpu", symbol = "fifth", require = ["d >= 512"] },
    { on = "cpu", symbol = "sixth", require = ["d % 3 == 0", "n <= 4"] },
    { on = "cpu", symbol = "seventh", require = ["n * d >= 65536"] },
    { on = "cpu", symbol = "eighth", guarantees = ["deterministic"] },
]

[ops.with_table]
like        = "alone"
kernels     = [{ on = "cpu", symbol = "tuned", tune = { chunk = [1, 2] } }]
"""
COPY = """
template <class T>
opgen::Status {name}(const {view}<T>& op) noexcept {{
  std::memcpy(op.y.data, op.x.data, op.x.numel() * sizeof(T));
  return opgen::Status::ok;
}}
"""
VIEWS = {
    "alone": "AloneView",
    **dict.fromkeys(("first", "second", "third", "fourth"), "OfFourView"),
    **dict.fromkeys(("fifth", "sixth", "seventh", "eighth"), "PromisingView"),
    "tuned": "WithTableView",
}
LEAST = (1, 4, 16, 64, 256, 1024)  # rows of the table


def groups() -> Iterator[Group]:
    torch.set_num_threads(1)
    with TemporaryDirectory() as folder:
        ops = _built(Path(folder))
        x = torch.randn(8, 128)
        one, four, tuned = "one kernel", "the last of four", f"tuned, {len(LEAST)} rows"
        promising = "the last of four, which guarantees more"
        contestants = {
            one: lambda: ops.alone(x),
            four: lambda: ops.of_four(x),
            promising: lambda: ops.promising(x),
            tuned: lambda: ops.with_table(x),
        }
        if ops.of_four.which(x).kernel != "fourth" or ops.with_table.tuned(x) != {"chunk": 2}:
            raise RuntimeError("the calls do not run what is to be measured")
        yield Group(
            "PyTorch: choosing a kernel, and its values, 8x128 f32, 1 thread",
            contestants,
            [Claim(each, one, "more seconds", at_most=20e-9) for each in (four, promising, tuned)],
            rounds=101,
        )


def _built(folder: Path) -> ModuleType:
    """Build the ops for PyTorch, with a table of tuned values for this device, and return their
    package.
    """
    copies = (COPY.format(name=name, view=view) for name, view in VIEWS.items())
    kernels = f"namespace {NAME}::cpu {{\n{''.join(copies)}\n}}\n"
    for file, text in (
        ("specs/copies.toml", SPEC),
        ("kernels/copies/copies.cpp", f'#include "copies.h"\n\n#include <cstring>\n\n{kernels}'),
    ):
        path = folder / file
        path.parent.mkdir(parents=True)
        path.write_text(text)
    config = Config(folder, out=NAME, package=NAME, namespace=NAME, kernels="kernels")
    _write_table(config)
    project, found, _ = load([folder / "specs" / "copies.toml"], config, tables=True)
    assert project is not None, found
    write(render(project, config.targets), config.out_dir, force=True)
    build(config, config.out_dir, frameworks=find_frameworks().torch_alone)
    sys.path.insert(0, str(folder))
    return importlib.import_module(f"{NAME}.torch")


def _write_table(config: Config) -> None:
    project, found, _ = load([config.root / "specs" / "copies.toml"], config)
    assert project is not None, found
    (kernel,) = project.op("with_table").kernels
    assert kernel.tune is not None
    rows = [
        {
            "threads": 1,
            "dtypes": {"T": "f32"},
            "sizes": {"n": least, "d": least},
            "values": {"chunk": 1 + n % 2},
            "default_us": 2.0,
            "us": 1.0,
        }
        for n, least in enumerate(LEAST)
    ]
    importlib.import_module("generated.torch")  # loads the library that detects the device
    device = TunedKernel("weighted_cross_entropy", "cpu").device_name()
    path = config.root / "tuned" / file_name(device)
    path.parent.mkdir()
    path.write_text(
        table_text(
            device, "cpu", {"with_table": {"signature": kernel.tune.signature, "rows": rows}}
        )
    )
