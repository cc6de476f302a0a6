"""Platforms whose kernels are not in the library: a package of their own calls them.

For a platform `p` that is `generated.p.jax`, whose `lowering(op)` gives the function that
calls the kernel of `op`, or None.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import jax

from ..core.project import PACKAGE
from ..core.runtime import HOST, CoreOp, amd_arch
from .library import PLATFORMS

# JAX's names of platforms, where specs have another.
JAX_NAMES = {"hip": "rocm"}
# How JAX names what requirements call `arch` and `sms`.
FACTS = {"arch": "compute_capability", "sms": "core_count"}


@functools.cache
def lowering_of(op: CoreOp, platform: str) -> Callable[..., Any] | None:
    """What calls the kernel of `op` on `platform`, if its own package does.

    The function takes the operands, and attrs by keyword.
    """
    package = f"{PACKAGE}.{platform}"
    if platform in PLATFORMS or find_spec(package) is None:
        return None
    if find_spec(f"{package}.jax") is None:
        return None
    found: Callable[..., Any] | None = import_module(f"{package}.jax").lowering(op)
    return found


def default_facts() -> dict[str, int]:
    """`arch` and `sms` of what JAX runs on by default: what sizes may ask while it traces."""
    device = jax.config.jax_default_device  # type: ignore[attr-defined]
    platform = getattr(device, "platform", device) or jax.default_backend()
    return HOST if platform == "cpu" else device_facts(platform)


def platform_of(device: jax.Device) -> str:
    """The platform of a device, as specs call it: to JAX, GPUs of all makes are of the same."""
    amd = str(getattr(device, "compute_capability", "")).startswith("gfx")
    found: str = {"gpu": "hip" if amd else "cuda"}.get(device.platform, device.platform)
    return found


@functools.cache
def device_facts(platform: str) -> dict[str, int]:
    """`arch` and `sms` of the first local device of `platform`, where there is one."""
    try:
        device = jax.local_devices(backend=JAX_NAMES.get(platform, platform))[0]
    except RuntimeError:
        return {}
    given = {name: getattr(device, key, None) for name, key in FACTS.items()}
    return {n: _number(str(v)) for n, v in given.items() if v is not None}


def _number(text: str) -> int:
    return amd_arch(text) if text.startswith("gfx") else int(text.replace(".", ""))
