"""Platforms whose kernels are not in the library but in a separate package.

For a platform `p`, the package is `generated.p.jax`. Its `lowering(op)` returns the function that
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

# JAX's names for platforms, if they differ from the names in specs.
JAX_NAMES = {"hip": "rocm"}
# The attributes of JAX's devices that hold `arch` and `sms`, which requirements of specs read.
FACTS = {"arch": "compute_capability", "sms": "core_count"}


@functools.cache
def lowering_of(op: CoreOp, platform: str) -> Callable[..., Any] | None:
    """Return the function that calls `op` on `platform`, if the platform has a separate package.

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
    """Return `arch` and `sms` of JAX's default device, for sizes that a trace computes."""
    device = jax.config.jax_default_device  # type: ignore[attr-defined]
    platform = getattr(device, "platform", device) or jax.default_backend()
    return HOST if platform == "cpu" else device_facts(platform)


def platform_of(device: jax.Device) -> str:
    """Return the spec's name for a device's platform. JAX's own name does not tell GPU vendors
    apart.
    """
    amd = str(getattr(device, "compute_capability", "")).startswith("gfx")
    found: str = {"gpu": "hip" if amd else "cuda"}.get(device.platform, device.platform)
    return found


@functools.cache
def device_facts(platform: str) -> dict[str, int]:
    """Return `arch` and `sms` of the first local device of `platform`, if any."""
    try:
        device = jax.local_devices(backend=JAX_NAMES.get(platform, platform))[0]
    except RuntimeError:
        return {}
    given = {name: getattr(device, key, None) for name, key in FACTS.items()}
    return {n: _number(str(v)) for n, v in given.items() if v is not None}


def _number(text: str) -> int:
    return amd_arch(text) if text.startswith("gfx") else int(text.replace(".", ""))
