"""The NKI kernels of the ops: the location of each, and the number of cores of its launch.

Rendered by opgen.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from ..core import (
    CoreOp,
    _cross_entropy,
    _cross_entropy_bwd,
    _layer_norm,
    _relu,
    _relu_bwd,
    _rms_norm,
    _rms_norm_bwd,
    _rotary,
    _silu_and_mul,
    _silu_and_mul_bwd,
    _tensor_add,
    _topk_softmax,
)
from .._opgen.core.runtime import Launch

HERE = Path(__file__).parent
LNC = "NEURON_LOGICAL_NC_CONFIG"  # how many physical cores a logical one has
# Kernels compute in 32 bits, so 64-bit integers are cast to these types.
NARROW = {"i64": "i32", "u64": "u32"}


@dataclass(frozen=True)
class NkiKernel:
    """The NKI kernel of an op: `file.py:function` or `module:function`.

    The kernel takes inputs, then attrs, by position. `results` has the results of every call.
    `lnc` lists the numbers of cores on which the kernel may be launched.
    """

    op: CoreOp
    path: str
    bind: Callable[..., Launch[Any]]
    pack: Callable[..., bytes]
    operands: tuple[str, ...]
    results: tuple[str, ...]
    lnc: tuple[int, ...]

    def cores(self) -> int:
        """Return the number of cores of a launch: all physical cores of a logical core.

        Raises RuntimeError if the kernel does not support that number.
        """
        count = int(os.environ.get(LNC) or max(self.lnc))
        if count not in self.lnc:
            which = " or ".join(map(str, self.lnc))
            raise RuntimeError(
                f"{self.op.name}: its NKI kernel runs on {which} of a logical core's cores, "
                f"and {LNC} is {count}"
            )
        return count

    def launched(self) -> Any:
        """Return the `nki.jit` function for the launch. Raises ImportError without the SDK."""
        return _load(self.path)[self.cores()]


@functools.cache
def _load(path: str) -> Any:
    file, _, function = path.rpartition(":")
    if not file.endswith(".py"):
        return getattr(import_module(file), function)
    place = HERE / "kernels" / file
    spec = spec_from_file_location(f"{__package__}.kernels.{place.stem}", place)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, function)


# The kernels by op.
KERNELS: dict[str, NkiKernel] = {
    "cross_entropy": NkiKernel(
        _cross_entropy.cross_entropy,
        "cross_entropy/nki_cross_entropy.py:nki_cross_entropy",
        _cross_entropy.bind,
        _cross_entropy.DESCRIPTOR.pack,
        ("logits", "labels"),
        ("loss", "top", "rest", "count"),
        (1, 2),
    ),
    "cross_entropy_bwd": NkiKernel(
        _cross_entropy_bwd.cross_entropy_bwd,
        "cross_entropy/nki_cross_entropy.py:nki_cross_entropy_bwd",
        _cross_entropy_bwd.bind,
        _cross_entropy_bwd.DESCRIPTOR.pack,
        ("dloss", "logits", "labels", "top", "rest", "count"),
        ("dlogits",),
        (1, 2),
    ),
    "layer_norm": NkiKernel(
        _layer_norm.layer_norm,
        "layer_norm/nki_layer_norm.py:nki_layer_norm",
        _layer_norm.bind,
        _layer_norm.DESCRIPTOR.pack,
        ("x", "weight", "bias"),
        ("y", "mean", "rstd"),
        (1, 2),
    ),
    "relu": NkiKernel(
        _relu.relu,
        "relu/nki_relu.py:nki_relu",
        _relu.bind,
        _relu.DESCRIPTOR.pack,
        ("x",),
        ("y",),
        (1, 2),
    ),
    "relu_bwd": NkiKernel(
        _relu_bwd.relu_bwd,
        "relu/nki_relu.py:nki_relu_bwd",
        _relu_bwd.bind,
        _relu_bwd.DESCRIPTOR.pack,
        ("dy", "y"),
        ("dx",),
        (1, 2),
    ),
    "rms_norm": NkiKernel(
        _rms_norm.rms_norm,
        "rms_norm/nki_rms_norm.py:nki_rms_norm",
        _rms_norm.bind,
        _rms_norm.DESCRIPTOR.pack,
        ("x", "weight"),
        ("y", "invvar"),
        (1, 2),
    ),
    "rms_norm_bwd": NkiKernel(
        _rms_norm_bwd.rms_norm_bwd,
        "rms_norm/nki_rms_norm.py:nki_rms_norm_bwd",
        _rms_norm_bwd.bind,
        _rms_norm_bwd.DESCRIPTOR.pack,
        ("dy", "invvar", "x", "weight"),
        ("dx", "dweight"),
        (1, 2),
    ),
    "rotary": NkiKernel(
        _rotary.rotary,
        "rotary/nki_rotary.py:nki_rotary",
        _rotary.bind,
        _rotary.DESCRIPTOR.pack,
        ("q", "positions", "cos_sin", "k"),
        ("q_out", "k_out"),
        (1, 2),
    ),
    "silu_and_mul": NkiKernel(
        _silu_and_mul.silu_and_mul,
        "silu_and_mul/nki_silu_and_mul.py:nki_silu_and_mul",
        _silu_and_mul.bind,
        _silu_and_mul.DESCRIPTOR.pack,
        ("x",),
        ("y",),
        (1, 2),
    ),
    "silu_and_mul_bwd": NkiKernel(
        _silu_and_mul_bwd.silu_and_mul_bwd,
        "silu_and_mul/nki_silu_and_mul.py:nki_silu_and_mul_bwd",
        _silu_and_mul_bwd.bind,
        _silu_and_mul_bwd.DESCRIPTOR.pack,
        ("dy", "x"),
        ("dx",),
        (1, 2),
    ),
    "tensor_add": NkiKernel(
        _tensor_add.tensor_add,
        "tensor_add/nki_tensor_add.py:nki_tensor_add",
        _tensor_add.bind,
        _tensor_add.DESCRIPTOR.pack,
        ("a", "b"),
        ("c",),
        (1, 2),
    ),
    "topk_softmax": NkiKernel(
        _topk_softmax.topk_softmax,
        "topk_softmax/nki_topk_softmax.py:nki_topk_softmax",
        _topk_softmax.bind,
        _topk_softmax.DESCRIPTOR.pack,
        ("logits",),
        ("weights", "ids", "top", "total"),
        (1, 2),
    ),
}


def constants(attrs: Mapping[str, Any]) -> Iterator[Any]:
    """Return the attr values in the form that kernels accept: lists become tuples."""
    return (tuple(v) if isinstance(v, list) else v for v in attrs.values())


def given_back(results: Any) -> Sequence[Any]:
    """Return the results of a kernel as a sequence. A kernel may return a single tensor."""
    return results if isinstance(results, tuple | list) else (results,)
