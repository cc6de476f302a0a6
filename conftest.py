"""Configuration of all tests: devices, compilers, and the slow checks that a commit runs.

JAX gets eight virtual CPU devices. XLA does not optimise programs for the CPU, because they run
only a few times. They compile in a third of the time. Kernels, layouts and collectives are the
same.

Projects that tests build are compiled as fast as possible, and a warning is an error. If there are
several test processes, one of them builds each project. Python's garbage collector ignores the
million objects that exist after pytest has collected the tests. Otherwise every test that collects
garbage would take a second longer.
"""

from __future__ import annotations

import gc
import os
import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import pytest

from opgen.ir.project import Project
from opgen.testing.excuses import EXCUSES, Excuse

FLAGS = {
    "--xla_force_host_platform_device_count": "8",
    "--xla_backend_optimization_level": "0",
}
if version("jaxlib").startswith("0.10."):  # to a later one it is an unknown flag, and an error
    FLAGS["--xla_cpu_use_fusion_emitters"] = "false"

given = os.environ.get("XLA_FLAGS", "")
added = (f"{flag}={value}" for flag, value in FLAGS.items() if flag not in given)
os.environ["XLA_FLAGS"] = " ".join([given, *added]).strip()

os.environ.setdefault("CMAKE_BUILD_TYPE", "None")
os.environ.setdefault("OPGEN_CPU_LEVELS", "")
os.environ.setdefault("OPGEN_WERROR", "1")
os.environ.setdefault("OPGEN_UNITY", "1")
# ccache comes with the packages.
os.environ.setdefault("CMAKE_PROGRAM_PATH", str(Path(sys.executable).parent))
# Only debugging information names the folder of a build, and these builds have none.
os.environ.setdefault("CCACHE_NOHASHDIR", "1")

# Known limits of ops, as `docs/language/sharding.md` lists them.
_HEADS = Excuse(
    "one call rotates `q` and `k`, so a device must hold all heads of a group", ("hk",), uneven=True
)
EXCUSES.update(
    {
        "cross_entropy": (
            Excuse(
                "all devices that share a row need its two sums, but DTensor scatters these sums",
                ("c", "batch"),
            ),
        ),
        "apply_rotary": (_HEADS,),
        "rotary": (_HEADS,),
        "rotary_": (_HEADS,),
    }
)

# Folders all of whose tests use one project.
SHARED = ("boundary", "gradients", "sizes", "triton", "pallas")


def sample(project: Project) -> set[str]:
    """Yield an elementwise op, and an op that reduces."""
    return {"relu", "rms_norm"}


def one_with_optional_results(project: Project) -> set[str]:
    return {"embedding_bag"}


def each_family(project: Project) -> set[str]:
    """Yield the first op of each spec. Its backwards run too."""
    return {op.name for op in {op.family: op for op in reversed(project.ops)}.values()}


def each_op(project: Project) -> set[str]:
    return {op.name for op in project.ops}


def each_way(project: Project) -> set[str]:
    """Yield the smallest op for each way to split: reduced, in stages, in place, following an
    input.
    """
    found: dict[str, str] = {}
    for op in sorted(project.ops, key=lambda op: (len(op.inputs), op.name)):
        reduced = (
            how
            for t in op.outputs + op.residuals
            for _, cases in t.reduce
            for how in cases.values()
        )
        others = {"stages": op.stages, "in place": op.updated, "follows": op.follow}
        if op.splittable:
            for way in {*reduced, *(name for name, held in others.items() if held)} or {"alone"}:
                found.setdefault(way, op.name)
    return {*found.values()}


# The slow rendered checks: the ops on which a commit runs them, and the number of calls for each.
CHOSEN = {
    "test_jax_sharded": (each_way, 1),
    "test_torch_sharded": (each_way, 1),
    "test_jax_gradcheck": (sample, 1),
    "test_jax_kinds_refused": (sample, 1),
    "test_torch_kinds_compiled": (sample, 1),
    "test_torch_graphs": (sample, 1),
    "test_torch_opcheck": (sample, 1),
    "test_torch_packages": (one_with_optional_results, 1),
    "test_jax_gradients": (each_op, 6),
    "test_jax_linear": (each_family, 1),
    "test_jax_vmap": (each_family, 1),
    "test_torch_compiles": (each_family, 1),
    "test_torch_exports": (each_family, 1),
}


# Folders and modules in which a call takes long, because it compiles or simulates a device. A commit
# runs each value of a stacked `parametrize`, and `make nightly` runs their combinations.
PRODUCTS = {"gradients", "jax", "neuron", "test_attention"}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: `make nightly` runs it, `make test` does not")


def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Mark the rendered tests that a commit skips as slow. `make nightly` runs them."""
    for item in items:
        subject = getattr(item.cls, "subject", None)
        if subject and item.originalname in CHOSEN:
            ops, calls = CHOSEN[item.originalname]
            call = item.callspec.indices["case"] if hasattr(item, "callspec") else 0
            if subject.name not in ops(subject.project) or call >= calls:
                item.add_marker("slow")
    mark_combinations(items)


def mark_combinations(items: list[pytest.Function]) -> None:
    """Mark a call as slow if earlier calls of the test have each of its values."""
    known = defaultdict[object, set[tuple[object, ...]]](set)
    for item in items:
        stacked = [mark.args[0] for mark in item.iter_markers("parametrize")]
        costly = not PRODUCTS.isdisjoint((item.path.parent.name, item.path.stem))
        if costly and len(stacked) > 1:
            params = item.callspec.params
            values = {(each, *(id(params[n]) for n in each)) for each in map(names_in, stacked)}
            fixtures = {(n, id(v)) for n, v in params.items() if not any(n in v[0] for v in values)}
            seen = known[item.path, item.originalname, frozenset(fixtures)]
            if values <= seen:
                item.add_marker("slow")
            seen |= values


def names_in(given: str | Sequence[str]) -> tuple[str, ...]:
    """Return the names in the first argument of `parametrize`."""
    return tuple(re.findall(r"\w+", given)) if isinstance(given, str) else tuple(given)


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Run in one process the tests of a file, of an op in test_ops.py, or of one project."""
    from xdist.scheduler import LoadScopeScheduling

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file, *names = nodeid.split("::")
            if file.endswith("test_ops.py"):
                return f"{file}::{names[0]}"
            folder = Path(file).parent
            return str(folder) if folder.name in SHARED else file

    return Together(config, log)
