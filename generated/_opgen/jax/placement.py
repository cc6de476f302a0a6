"""The choice between a platform's kernel and the reference."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
from jax.extend.core import Primitive
from jax.interpreters import mlir

from ..core.libraries import left_out
from ..core.project import LIBRARIES
from .platforms import JAX_NAMES

_log = logging.getLogger(__name__)

# Primitives that return their operand. Their lowering rules warn or raise, because the platform is
# not known before lowering.
_placed = Primitive("placed")
_partitioned = Primitive("partitioned")

Results = tuple[jax.Array, ...]


def place(
    op: str,
    kernels: Mapping[str, Callable[..., Results]],
    foreign: Callable[..., Results],
    reference: Callable[..., Results] | None,
    operands: Sequence[jax.Array],
    unmet: Mapping[str, str] = {},
) -> Results:
    """Run the kernel that `kernels` has for the program's platform, or `reference` if there is
    none.

    `foreign` is the kernel that runs through XLA's FFI. If it is the kernel of every platform and
    there is no reference, it runs directly. If nothing can run, lowering raises
    NotImplementedError. If a kernel exists but rejects this call, lowering raises ValueError with
    the reason in `unmet`.
    """
    first, *others = operands
    kernels = {JAX_NAMES.get(platform, platform): kernel for platform, kernel in kernels.items()}
    unmet = {JAX_NAMES.get(platform, platform): reason for platform, reason in unmet.items()}
    fallback = reference is not None
    platforms = tuple(kernels)
    facts = {"platforms": platforms, "fallback": fallback, "unmet": tuple(unmet.items())}
    operands = (_placed.bind(first, op=op, **facts), *others)
    if reference is None and all(kernel is foreign for kernel in kernels.values()):
        return foreign(*operands)
    if reference is not None and not kernels:
        return reference(*operands)
    results: Results = jax.lax.platform_dependent(*operands, **kernels, default=reference)
    return results


def _lower(context: Any, x: Any, *, op: Any, platforms: Any, fallback: Any, unmet: Any) -> Any:
    for platform in context.module_context.platforms:
        if platform in platforms:
            continue
        reason = dict(unmet).get(platform)
        if not fallback and reason:
            raise ValueError(f"{op}: its kernel for {platform} requires {reason}")
        if not fallback:
            built = " and ".join(platforms) or "none"
            raise NotImplementedError(
                f"{op}: there is no kernel for platform {platform} (built: {built}), "
                "and its spec does not say that the reference may run instead"
                f"{left_out(LIBRARIES)}"
            )
        _say(op, platform, reason)
    return [x]


def partitioned(op: str, x: jax.Array) -> jax.Array:
    """Return `x`, the first operand of a call, marked to show that a partitioner may split the
    call.

    XLA's partitioner for TPUs cannot split a call. If a split is needed on a TPU, lowering raises
    NotImplementedError.
    """
    found: jax.Array = _partitioned.bind(x, op=op)
    return found


def _lower_partitioned(context: Any, x: Any, *, op: str) -> Any:
    if "tpu" in context.module_context.platforms and _splits(context.module_context.axis_context):
        raise NotImplementedError(
            f"{op}: on TPUs, JAX does not let the partitioner split a kernel's call (jax#38196): "
            "call it in `jax.shard_map`, or with arrays on a mesh whose axes are explicit"
        )
    return [x]


def _splits(axes: Any) -> bool:
    """Return whether a partitioner splits the program over several devices."""
    mesh = getattr(axes, "mesh", None)
    if mesh is None:
        return len(getattr(axes, "device_assignment", None) or ()) > 1
    return mesh.size > 1 and {*axes.manual_axes} != {*mesh.axis_names}


@functools.cache
def _say(op: str, platform: str, reason: str | None) -> None:
    """Warn that the reference runs, but only once for each op, platform and reason."""
    lack = "no kernel" if reason is None else f"a kernel that requires {reason}"
    _log.warning("%s: %s for platform %s: the reference runs", op, lack, platform)


_placed.def_impl(lambda x, **_: x)
_placed.def_abstract_eval(lambda x, **_: x)
mlir.register_lowering(_placed, _lower)
_partitioned.def_impl(lambda x, **_: x)
_partitioned.def_abstract_eval(lambda x, **_: x)
mlir.register_lowering(_partitioned, _lower_partitioned)
