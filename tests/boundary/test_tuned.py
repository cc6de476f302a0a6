"""A call gets the values that `opgen tune` has chosen for its device, dtypes and sizes."""

from __future__ import annotations

import itertools
import json
import shutil
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from opgen.bench.tune_command import entry_of
from opgen.compiler.pipeline import load
from opgen.ir.tune import TunedRow, by_preference
from opgen.package.sources import write_sources
from opgen.spec.config import load_config
from opgen.spec.tuned import file_name
from tests.boundary.conftest import PROJECT, opgen
from tests.boundary.tables import THREADS, device_name, write_table

FIRST = (1, 7)
# Shape, dtype, and the values that the kernel gets. They are those of the table's entry with the
# largest sizes that do not exceed the call's.
CALLS = [
    ((3, 8), "float32", FIRST),
    ((4, 7), "float32", FIRST),
    ((4, 8), "float32", (2, 9)),
    ((7, 1000), "float32", (2, 9)),
    ((8, 16), "float32", (4, 7)),
    ((2, 4, 99), "float32", (4, 7)),
    ((100, 15), "float32", (2, 9)),
    ((100, 16), "bfloat16", (4, 9)),
    ((100, 16), "float64", FIRST),
]
each_call = pytest.mark.parametrize("shape, dtype, values", CALLS)


@each_call
def test_torch_gets_the_values(
    boundary: ModuleType, shape: tuple[int, ...], dtype: str, values: tuple[int, int]
) -> None:
    import torch
    from boundary.torch import paced

    x = torch.ones(shape, dtype=getattr(torch, dtype))
    assert tuple(paced(x).tolist()) == values
    assert tuple(paced.tuned(x).values()) == values


@each_call
def test_jax_gets_the_values(
    boundary: ModuleType, shape: tuple[int, ...], dtype: str, values: tuple[int, int]
) -> None:
    import jax
    import jax.numpy as jnp
    from boundary.jax import paced

    with jax.enable_x64(True):
        x = jnp.ones(shape, dtype)
        assert tuple(paced(x).tolist()) == tuple(jax.jit(paced)(x).tolist()) == values
        assert paced.tuned(x) == dict(zip(("chunk", "limit"), values))


def test_one_compilation_serves_all_sizes(boundary: ModuleType) -> None:
    import torch
    from boundary.torch import paced

    compiled = []

    def backend(graph: torch.fx.GraphModule, _: object) -> torch.fx.GraphModule:
        compiled.append(graph)
        return graph

    function = torch.compile(lambda x: paced(x), dynamic=True, fullgraph=True, backend=backend)
    for shape, _, values in CALLS[:2] + CALLS[3:5]:
        assert tuple(function(torch.ones(shape)).tolist()) == values
    assert len(compiled) == 1


def test_other_threads_get_the_first_values(boundary: ModuleType) -> None:
    import torch
    from boundary.torch import paced

    before = torch.get_num_threads()
    torch.set_num_threads(next(n for n in itertools.count(3) if n not in THREADS))
    try:
        assert tuple(paced(torch.ones(8, 16)).tolist()) == FIRST
        assert paced.tuned(torch.ones(8, 16)) == {"chunk": 1, "limit": 7}
    finally:
        torch.set_num_threads(before)


def test_each_kernel_of_a_list_has_its_own(boundary: ModuleType) -> None:
    import torch
    from boundary.torch import paced_by_width

    for shape, kernel, chunk in (
        ((4, 8), "paced_wide", 2),
        ((3, 8), "paced_wide", 1),
        ((4, 7), "paced_narrow", 4),
        ((3, 7), "paced_narrow", 3),
    ):
        x = torch.ones(shape)
        assert paced_by_width.which(x).kernel == kernel
        assert paced_by_width(x).tolist() == [chunk, 0]
        assert paced_by_width.tuned(x) == {"chunk": chunk}


def test_measuring_forces_values(boundary: ModuleType) -> None:
    import torch
    from boundary._opgen.core.tuned import TunedKernel
    from boundary.torch import paced

    kernel = TunedKernel("paced", "cpu")
    assert kernel.device_name() == device_name()
    kernel.force((4, 9))
    try:
        assert paced(torch.ones(1, 1)).tolist() == [4, 9]
    finally:
        kernel.force(None)
    assert tuple(paced(torch.ones(1, 1)).tolist()) == FIRST


def test_explain_shows_what_was_chosen(project: Path) -> None:
    said = opgen("explain", "paced", cwd=project).stdout
    assert "chunk = 1, or 2, or 4; limit = 7, or 9" in said
    assert f"{device_name()}, 2 threads, T = f32, batch >= 8, d >= 16" in said


@pytest.mark.slow
def test_the_fastest_is_chosen_and_the_rest_kept(project: Path) -> None:
    path = project / "tuned" / file_name(device_name())
    before = json.loads(path.read_text())
    done = opgen("tune", "dawdled", "--at", "batch=4,d=8", "--dtypes", "f32", cwd=project)
    assert done.returncode == 0, done.stderr
    assert "dawdled f32 batch=4,d=8: turns = 10: " in done.stdout
    after = json.loads(path.read_text())
    entry = after["kernels"].pop("dawdled")
    assert after == before
    (row,) = entry["rows"]
    assert (row["sizes"], row["dtypes"]) == ({"batch": 4, "d": 8}, {})
    assert row["values"] == {"turns": 10} and row["us"] < row["default_us"] / 2
    assert opgen("render", "--check", cwd=project).returncode == 1
    refused = opgen("tune", "ranked", cwd=project)
    assert refused.returncode == 2 and "no kernel of `ranked` for cpu has `tune`" in refused.stderr
    path.write_text(json.dumps(before))


def test_rows_for_other_calls_stay() -> None:
    def row(n: int, value: int) -> dict:
        return {"threads": 1, "dtypes": {}, "sizes": {"n": n}, "values": {"v": value}}

    old = {"signature": "s", "rows": [row(1, 1), row(2, 1)]}
    assert entry_of("s", [row(2, 2), row(3, 2)], old)["rows"] == [row(1, 1), row(2, 2), row(3, 2)]
    assert entry_of("t", [row(2, 2)], old) == {"signature": "t", "rows": [row(2, 2)]}


@pytest.mark.parametrize("seed", range(20))
def test_rows_that_are_left_out_change_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = {tuple(map(int, rng.integers(0, 4, 2))) for _ in range(6)}
    rows = [TunedRow(1, (), place, (int(rng.integers(0, 3)),)) for place in places]
    kept = by_preference(rows, (0,))
    whole = sorted(rows, key=lambda r: (r.sizes[0] * r.sizes[1], r.sizes), reverse=True)

    def chosen(among: object, sizes: tuple[int, int]) -> int:
        fits = (r for r in among if r.sizes[0] <= sizes[0] and r.sizes[1] <= sizes[1])
        return next((r.values[0] for r in fits), 0)

    for sizes in itertools.product(range(5), repeat=2):
        assert chosen(kept, sizes) == chosen(whole, sizes)
    values = [r.values for r in reversed(kept)]
    assert not kept or values[0] != (0,)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a rendered project with only the family `listed`."""
    folder = tmp_path_factory.mktemp("tuned")
    shutil.copy(PROJECT / "pyproject.toml", folder)
    (folder / "specs").mkdir()
    for name in ("listed.toml", "listed.py"):
        shutil.copy(PROJECT / "specs" / name, folder / "specs")
    shutil.copytree(PROJECT / "kernels" / "listed", folder / "kernels" / "listed")
    assert opgen("render", cwd=folder).returncode == 0
    return folder


def damaged(table: dict) -> list[tuple[str, str]]:
    """Return invalid texts of a table of tuned values, each with its error message."""

    def changed(change: object) -> str:
        other = json.loads(json.dumps(table))
        change(other)
        return json.dumps(other)

    def row(**keys: object) -> object:
        return lambda t: t["kernels"]["paced"]["rows"][0].update(keys)

    def again(t: dict) -> None:
        t["kernels"]["paced"]["rows"] *= 2

    def elsewhere(t: dict) -> None:
        t.update(platform="cuda", kernels={"paced": t["kernels"]["paced"]})

    unknown = {"signature": "", "rows": []}
    return [
        (json.dumps(table)[:-40], "the table is not JSON"),
        ("[" * 100_000, "the table is not JSON"),
        (changed(lambda t: t.update(format=2)), "no table of format 1"),
        ("[]", "no table of format 1"),
        (changed(lambda t: t.pop("platform")), "lacks `platform`"),
        (changed(lambda t: t.update(device="Another")), "of the device `Another`"),
        (changed(lambda t: t["kernels"].update(pacing=unknown)), "no kernel `pacing` for cpu"),
        (changed(elsewhere), "no kernel `paced` for cuda"),
        (
            changed(lambda t: t["kernels"]["paced"].update(signature="1")),
            "with other values, sizes",
        ),
        (changed(again), "two rows for the same calls"),
        (changed(row(values={"chunk": 3, "limit": 7})), "3 for `chunk`, which is none of 1, 2, 4"),
        (changed(row(values={"chunk": 1})), "lacks `limit`"),
        (changed(row(values={"chunk": True, "limit": 7})), "True for `chunk`"),
        (changed(row(sizes={"batch": -1, "d": 8})), "-1 for a number of threads or a size"),
        (changed(row(sizes={"batch": 2**63, "d": 8})), "for a number of threads or a size"),
        (changed(row(sizes={"n": 1})), "lacks `batch`"),
        (changed(row(dtypes={"T": "f16"})), "is for f16, which the kernel does not take"),
        (changed(row(dtypes={"T": ["f32"]})), "which the kernel does not take"),
        (changed(row(wind="west")), "unknown key `wind`"),
    ]


def test_what_does_not_fit_is_refused(small: Path) -> None:
    path = write_table(small)
    whole = path.read_text()
    config, _, _ = load_config(small)
    for text, message in damaged(json.loads(whole)):
        path.write_text(text)
        project, found, sources = load([small / "specs" / "listed.toml"], config, tables=True)
        (each,) = found
        assert project is None and message in each.message
        assert Path(each.where.file).name == path.name and each.where.file in sources
    done = opgen("render", cwd=small)
    assert done.returncode == 1 and f"tuned/{path.name}:1:" in done.stdout
    path.write_text(whole)
    assert opgen("render", cwd=small).returncode == 0
    rendered = small / "boundary" / "cpp" / "listed_cpu_tuned.cpp"
    assert json.dumps(device_name()) in rendered.read_text()
    write_sources(config, small / "distribution")
    assert (small / "distribution" / "tuned" / path.name).read_text() == whole
    path.unlink()
    assert opgen("render", cwd=small).returncode == 0
    assert device_name() not in rendered.read_text()


def test_tables_of_other_devices_say_nothing_here(small: Path) -> None:
    path = write_table(small, "Another Processor")
    assert path.name == "another-processor.json"
    assert opgen("render", cwd=small).returncode == 0
    text = (small / "boundary" / "cpp" / "listed_cpu_tuned.cpp").read_text()
    assert '"Another Processor"' in text and device_name() not in text
    path.unlink()
