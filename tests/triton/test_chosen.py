"""Python knows which kernel a call runs, and whether the library has code for the device."""

from __future__ import annotations

import importlib
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import pytest

# Names that JAX looks up in the library, for which its other part needs JAX's headers.
NAMES = ("halved_cuda", "scaled_cuda", "scaled_hip")
HANDLERS = " ".join(
    f"void scaled_ops_{name}_ffi{stage}(void) {{}}" for name in NAMES for stage in ("", "_made")
)
REGISTERED: dict[str, set[str]] = {}


@pytest.fixture(scope="module")
def package(project: Path) -> Iterator[Callable[[str], Any]]:
    """Import the rendered package; the handlers in its library for JAX do nothing."""
    (kernels,) = (project / "scaled_ops" / "lib").rglob("libscaled_ops_gpus-*.so")
    library = project / "scaled_ops" / "lib" / kernels.name.replace("_gpus-", "_jax-")
    source = project / "handlers.c"
    source.write_text(HANDLERS)
    command = [os.environ.get("CC") or "cc", "-shared", "-fPIC", "-Wl,--no-as-needed"]
    command += [str(source), str(kernels), f"-Wl,-rpath,{kernels.parent}", "-o", str(library)]
    subprocess.run(command, check=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(project))
        patch.setattr(jax.ffi, "register_ffi_target", _register)
        importlib.import_module("scaled_ops.jax")
        yield importlib.import_module


def _register(target: str, capsule: object, platform: str) -> None:
    REGISTERED.setdefault(target, set()).add(platform)


CODE = "requires code for this device"


@pytest.mark.parametrize(
    "arch, taken, rows, slow",
    [
        (90, "rows", None, "`rows` comes first"),
        (86, "rows", None, "`rows` comes first"),
        (120, "rows", None, "`rows` comes first"),
        (None, "rows", None, "`rows` comes first"),
        (75, "reference", CODE, CODE),
    ],
)
def test_a_kernel_without_code_for_the_device_is_not_taken(
    package: Callable[[str], Any], arch: int | None, taken: str, rows: str | None, slow: str
) -> None:
    core, choice = package("scaled_ops.core"), package("scaled_ops._opgen.core.kernel_choice")
    spec = core.TensorSpec
    launch = core.scaled.bind(spec((3, 16), "bf16"), spec((3,), "bool"), arch=arch)
    found = choice.which("scaled", "cuda", launch)
    assert found.kernel == taken
    assert (found.others.get("rows"), found.others["slow"]) == (rows, slow)


@pytest.mark.parametrize("arch, kernel", [(80, True), (75, False), (None, True)])
@pytest.mark.parametrize("op", ["halved", "scaled"])
def test_jax_runs_the_reference_where_there_is_no_code(
    package: Callable[[str], Any],
    monkeypatch: pytest.MonkeyPatch,
    op: str,
    arch: int | None,
    kernel: bool,
) -> None:
    ops, facts = package("scaled_ops.jax"), {} if arch is None else {"arch": arch}
    module = package("scaled_ops._opgen.jax.kernel")
    monkeypatch.setattr(module, "device_facts", lambda platform: facts)
    jax.clear_caches()
    given = [jnp.ones(5)]
    if op == "scaled":
        given = [jnp.ones((3, 16), jnp.bfloat16), jnp.ones(3, bool)]
    traced = jax.jit(lambda *inputs: getattr(ops, op)(*inputs)).trace(*given)
    text = traced.lower(lowering_platforms=("cuda",)).as_text()
    assert (f"@scaled_ops.{op}(" in text) == kernel


class FalseDevice(NamedTuple):
    """A device with the attributes of a JAX device."""

    platform: str
    compute_capability: str = ""
    core_count: int = 304


@pytest.mark.parametrize(
    "name, kernel", [("gfx942:sramecc+:xnack-", True), ("gfx90a", False), ("gfx1100", False)]
)
def test_jax_for_rocm(
    package: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch, name: str, kernel: bool
) -> None:
    ops, platforms = package("scaled_ops.jax"), package("scaled_ops._opgen.jax.platforms")
    asked = []
    monkeypatch.setattr(
        jax, "local_devices", lambda backend: [asked.append(backend), FalseDevice("gpu", name)][1:]
    )
    platforms.device_facts.cache_clear()
    jax.clear_caches()
    traced = jax.jit(ops.scaled).trace(jnp.ones((3, 16), jnp.bfloat16), jnp.ones(3, bool))
    text = traced.lower(lowering_platforms=("rocm",)).as_text()
    platforms.device_facts.cache_clear()
    assert ("@scaled_ops.scaled(" in text) == kernel and "rocm" in asked
    assert REGISTERED["scaled_ops.scaled"] == {"CUDA", "ROCM"}


@pytest.mark.parametrize(
    "device, platform",
    [
        (FalseDevice("gpu", "gfx90a"), "hip"),
        (FalseDevice("gpu", "9.0"), "cuda"),
        (FalseDevice("cpu"), "cpu"),
    ],
)
def test_whose_gpu_it_is(package: Callable[[str], Any], device: Any, platform: str) -> None:
    assert package("scaled_ops._opgen.jax.platforms").platform_of(device) == platform
