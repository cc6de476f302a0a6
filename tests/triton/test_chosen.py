"""Which kernel a call is for, as Python knows it: a device may have no code."""

from __future__ import annotations

import importlib
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest

# What JAX looks up in the library for it, whose other half is built only where JAX's headers are.
HANDLERS = "void scaled_ops_halved_cuda_ffi(void) {} void scaled_ops_scaled_cuda_ffi(void) {}"


@pytest.fixture(scope="module")
def package(project: Path) -> Iterator[Callable[[str], Any]]:
    """Imports what was rendered; the handlers of its library for JAX do nothing."""
    (kernels,) = (project / "scaled_ops" / "lib").rglob("libscaled_ops_kernels-*.so")
    library = project / "scaled_ops" / "lib" / kernels.name.replace("_kernels-", "_jax-")
    source = project / "handlers.c"
    source.write_text(HANDLERS)
    command = [os.environ.get("CC") or "cc", "-shared", "-fPIC", "-Wl,--no-as-needed"]
    command += [str(source), str(kernels), f"-Wl,-rpath,{kernels.parent}", "-o", str(library)]
    subprocess.run(command, check=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(project))
        patch.setattr(jax.ffi, "register_ffi_target", lambda *_, **__: None)
        importlib.import_module("scaled_ops.jax")
        yield importlib.import_module


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
    core, choice = package("scaled_ops.core"), package("scaled_ops.core._kernel_choice")
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
    module = package("scaled_ops.jax._runtime.kernel")
    monkeypatch.setattr(module, "device_facts", lambda platform: facts)
    jax.clear_caches()
    given = [jnp.ones(5)]
    if op == "scaled":
        given = [jnp.ones((3, 16), jnp.bfloat16), jnp.ones(3, bool)]
    traced = jax.jit(lambda *inputs: getattr(ops, op)(*inputs)).trace(*given)
    text = traced.lower(lowering_platforms=("cuda",)).as_text()
    assert (f"scaled_ops.{op}" in text) == kernel
