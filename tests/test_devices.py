"""Traffic between a thousand simulated devices: the page shows traced bytes, and opgen adds none."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import pytest
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.testing._internal.distributed.fake_pg import FakeStore

from bench.devices.in_torch import OPS, calls
from bench.devices.layouts import COUNTS, layouts
from bench.devices.page import MEASURED, PAGE, PICTURE, page, picture
from bench.devices.record import Step, measured

WHOLE = json.loads(MEASURED.read_text())


def test_page() -> None:
    assert PAGE.read_text() == page(WHOLE)
    assert PICTURE.read_text() == picture(WHOLE)


def test_opgen_moves_no_more() -> None:
    steps = [Step(**each) for each in WHOLE["steps"]]
    native = {(s.framework, s.devices, s.layout): s.moved for s in steps if s.ops == "native"}
    ours = {(s.framework, s.devices, s.layout): s.moved for s in steps if s.ops == "opgen"}
    assert native.keys() == ours.keys() and len(ours) == 3 * len(COUNTS) * len(layouts(COUNTS[0]))
    assert not [place for place in ours if ours[place] > native[place]]


def test_further_layers() -> None:
    """The traffic of models with more layers is extrapolated from models with few layers."""
    found = measured(
        lambda n: [("gather", 1)] * (n + 1) + [("reduce", 0)], "PyTorch", 8, "FSDP", "opgen"
    )
    assert found.collectives == {"gather": 81} and found.moved == 81


@pytest.fixture(scope="module")
def processes() -> Iterator[int]:
    """Start a process group in which this process plays the first of 64."""
    dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=64)
    yield 64
    dist.destroy_process_group()


@pytest.mark.slow
@pytest.mark.parametrize("layout", layouts(64))
def test_every_further_layer_moves_the_same(processes: int, layout: str) -> None:
    sizes = layouts(processes)[layout]
    mesh = init_device_mesh("cpu", (*sizes.values(),), mesh_dim_names=(*sizes,))
    one, two, three = (Counter(calls(OPS["opgen"], mesh, n)) for n in (1, 2, 3))
    assert three == two + (two - one) and two != one
