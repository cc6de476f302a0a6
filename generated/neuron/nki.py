"""The ops' NKI kernels, and the `backend_config` of their custom calls.

That is base64 of JSON with sorted keys, specialised on the shapes and dtypes of tensors, the
launch grid and the values of all other arguments. Rendered by opgen.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..core import CoreOp, TensorSpec, _cross_entropy, _rms_norm, _silu_and_mul, _tensor_add
from .._opgen.core.runtime import Launch

KERNEL_VERSION = 1
# How Neuron names dtypes: as NumPy does.
NUMPY_NAMES = {
    "bf16": "bfloat16",
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "u8": "uint8",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "bool": "bool",
    "f8e4m3": "float8_e4m3fn",
    "f8e5m2": "float8_e5m2",
    "f8e4m3fnuz": "float8_e4m3fnuz",
    "f8e5m2fnuz": "float8_e5m2fnuz",
    "f8e8m0": "float8_e8m0fnu",
    "f4e2m1": "float4_e2m1fn",
    "c64": "complex64",
    "c128": "complex128",
    "i4": "int4",
    "u4": "uint4",
}

Config = tuple[str, list[str], list[str]]


@dataclass(frozen=True)
class NkiKernel:
    """The NKI kernel of an op: `module:function`, its operands and results by name."""

    path: str
    bind: Callable[..., Launch[Any]]
    pack: Callable[..., bytes]
    operands: tuple[str, ...]
    results: tuple[str, ...]

    def given(
        self, op: CoreOp, args: Sequence[Any], kwargs: dict[str, Any]
    ) -> dict[str, TensorSpec]:
        """The results that a call gives: by position, by name, or the first one as `out`."""
        count = len(self.operands)
        if len(args) > count + len(self.results):
            most = count + len(self.results)
            raise TypeError(f"{op.name}: expected at most {most} tensors, got {len(args)}")
        given = dict(zip(self.results, args[count:]))
        for key, name in (("out", self.results[0]), *zip(self.results, self.results)):
            if key in kwargs:
                if name in given:
                    raise TypeError(f"{op.name}: {name}: got two of them")
                given[name] = kwargs.pop(key)
        return given


# By op.
KERNELS = {
    "cross_entropy": NkiKernel(
        "nki_cross_entropy:nki_cross_entropy",
        _cross_entropy.bind,
        _cross_entropy.DESCRIPTOR.pack,
        ("logits", "labels"),
        ("loss", "top", "rest", "count"),
    ),
    "rms_norm": NkiKernel(
        "nki_rms_norm:nki_rms_norm",
        _rms_norm.bind,
        _rms_norm.DESCRIPTOR.pack,
        ("x", "weight"),
        ("y", "invvar"),
    ),
    "silu_and_mul": NkiKernel(
        "nki_silu_and_mul:nki_silu_and_mul",
        _silu_and_mul.bind,
        _silu_and_mul.DESCRIPTOR.pack,
        ("x",),
        ("y",),
    ),
    "tensor_add": NkiKernel(
        "nki_tensor_add:nki_tensor_add",
        _tensor_add.bind,
        _tensor_add.DESCRIPTOR.pack,
        ("a", "b"),
        ("c",),
    ),
}


def kernel_of(op: CoreOp) -> NkiKernel:
    """The NKI kernel of `op`; TypeError where it has none."""
    if op.name not in KERNELS:
        raise TypeError(f"{op.name}: there is no NKI kernel")
    return KERNELS[op.name]


def dump_config(op: CoreOp, *args: Any, grid: Sequence[int] | None = None, **kwargs: Any) -> Config:
    """The `backend_config` of the NKI kernel of `op`, its operands and results by name.

    `args` are a `TensorSpec` for each input, then for results, which `out=` (or their
    names) may give as well, or nobody; attrs are keyword arguments. `grid` replaces the spec's.
    Raises TypeError and ValueError as `infer` does, ValueError for what the kernel does not
    take.
    """
    kernel = kernel_of(op)
    given = kernel.given(op, args, kwargs)
    launch = kernel.bind(*args[: len(kernel.operands)], **kwargs)
    for text in launch.unmet("neuron"):
        raise ValueError(f"{op.name}: the NKI kernel requires {text}")
    named = zip(launch.results._fields, launch.results)
    results = {name: spec for name, spec in named if spec is not None}  # that this call has
    for name, spec in given.items():
        wanted = results.get(name)
        if spec != wanted:
            raise ValueError(f"{op.name}: {name}: expected {wanted}, got {spec}")
    config = backend_config(
        kernel.path,
        launch.grid if grid is None else grid,
        dict(zip(kernel.operands, args)),
        results,
        launch.attrs,
        kernel.pack(*launch.descriptor),
    )
    return config, [*kernel.operands], [*results]


def numpy_name(dtype: str) -> str:
    """A dtype of the spec language as Neuron names it; any other as it is."""
    return NUMPY_NAMES.get(dtype, dtype)


def backend_config(
    path: str,
    grid: Sequence[int],
    inputs: Mapping[str, TensorSpec],
    outputs: Mapping[str, TensorSpec],
    attrs: Mapping[str, Any] | None = None,
    descriptor: bytes = b"",
) -> str:
    """The config of the kernel `module:function` for tensors of these shapes and dtypes."""
    module, _, function = path.rpartition(":")
    tensors = {**inputs, **outputs}
    values = {
        "kernel_version": KERNEL_VERSION,
        "func_name": function,
        "module": module,
        "grid": [int(size) for size in grid],
        "input_names": [*inputs],
        "output_names": [*outputs],
        "shapes": {name: [*map(int, spec.shape)] for name, spec in tensors.items()},
        "dtypes": {name: numpy_name(spec.dtype) for name, spec in tensors.items()},
        "attrs": dict(attrs or {}),
        "descriptor": base64.b64encode(descriptor).decode(),
    }
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    return base64.b64encode(text.encode()).decode()
