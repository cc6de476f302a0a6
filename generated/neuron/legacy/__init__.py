"""NKI kernels for SDKs up to 2.27: the config that Neuron's compiler receives for a call.

It follows AWS Neuron's `nki.FrameworkKernel`. Tensors are specialised on shape and dtype. Other
arguments are compile-time constants. Outputs are arguments in Python and results in HLO, but not
operands. A `backend_config` is base64-encoded JSON with sorted keys. Today's compiler instead
expects the path of a compiled kernel, which the package `nki` writes. Rendered by opgen.
"""

from __future__ import annotations

import base64
import inspect
import json
import threading
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..._opgen.core.dtypes import DTYPES
from ...core import CoreOp, TensorSpec
from ..nki import KERNELS, NkiKernel

TARGET = "AwsNeuronCustomNativeKernel"
STATUS_RETURNING = 2  # XLA's CustomCallApiVersion
KERNEL_VERSION = 1
# The element types by Neuron's names, which equal NumPy's names.
NEURON_DTYPES = {dtype.numpy: dtype for dtype in DTYPES.values()}

Config = tuple[str, list[str], list[str]]


class FrameworkKernel(ABC):
    """A kernel and its launch grid. A subclass supports a framework's tensors.

    `func` is an op of `core` or a kernel function. For a function, `outputs` names the parameters
    that it writes. With `enable_cache`, all threads share a cache with the configs of the
    `cache_size` most recent specialisations.
    """

    api_version: str

    def __init__(
        self,
        func: CoreOp | Callable[..., Any],
        func_name: str = "",
        grid: Sequence[int] | None = None,
        *,
        outputs: Sequence[str] = ("out",),
        enable_cache: bool = True,
        cache_size: int = 256,
    ) -> None:
        self.func = func
        self.func_name = func_name or _name_of(func)
        self.grid = grid
        self.outputs = outputs
        self.enable_cache = enable_cache
        self.cache_size = cache_size
        self._cache: OrderedDict[Any, Config] = OrderedDict()
        self._lock = threading.Lock()

    @abstractmethod
    def is_framework_tensor(self, t: Any) -> bool:
        """Return True if `t` is a tensor. Other arguments are compile-time constants."""

    @abstractmethod
    def map_framework_tensor(self, t: Any) -> tuple[Sequence[int], Any]:
        """Return the shape and dtype of a tensor, in the types of the framework."""

    @abstractmethod
    def translate_to_neuron_dtype(self, dtype: Any) -> Any:
        """Return NumPy's dtype for a framework dtype, or the name if NumPy lacks the dtype."""

    def dump_config(self, *args: Any, **kwargs: Any) -> Config:
        """Return the `backend_config` of a call, the names of its operands and of its results.

        Raises TypeError and ValueError for a call that the kernel does not take.
        """
        arguments = [self._specialised(value) for value in args]
        keywords = {name: self._specialised(value) for name, value in kwargs.items()}
        if not self.enable_cache:
            return self._config(arguments, keywords)
        attributes = (self.grid, self.func_name, self.outputs)
        key = _key([arguments, keywords, *attributes])
        with self._lock:
            found = self._cache.get(key)
            if found is not None:
                self._cache.move_to_end(key)
        if found is None:
            found = self._config(arguments, keywords)
            with self._lock:
                self._cache[key] = found
                while len(self._cache) > self.cache_size:
                    self._cache.popitem(last=False)
        config, operands, results = found
        return config, [*operands], [*results]

    def custom_call(self, *args: Any, **kwargs: Any) -> str:
        """Return the HLO instruction of a call. The operands have the parameters' names."""
        config, operands, results = self.dump_config(*args, **kwargs)
        values = values_of(config)
        types = {
            name: _hlo_type(values["dtypes"][name], shape)
            for name, shape in values["shapes"].items()
        }
        made = [types[name] for name in results]
        parts = [
            f"custom-call({', '.join(f'{types[name]} %{name}' for name in operands)})",
            'custom_call_target="AwsNeuronCustomNativeKernel"',
            f"api_version={self.api_version}",
            f'metadata={{op_type="{self.func_name}" op_name="{self.func_name}"}}',
            f'backend_config="{config}"',
        ]
        result = made[0] if len(made) == 1 else f"({', '.join(made)})"
        return f"%custom-call = {result} {', '.join(parts)}"

    def _specialised(self, value: Any) -> Any:
        """Return a config's entry for an argument: a tensor's shape and dtype, or the constant."""
        if not self.is_framework_tensor(value):
            return value
        shape, dtype = self.map_framework_tensor(value)
        neuron = self.translate_to_neuron_dtype(dtype)
        return TensorSpec(tuple(shape), getattr(neuron, "name", str(neuron)))

    def _config(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Config:
        if isinstance(self.func, CoreOp):
            given = {name: _in_spec(value) for name, value in kwargs.items()}
            specs = map(_in_spec, args)
            return dump_config(self.func, *specs, grid=self.grid, **given)
        bound = inspect.signature(self.func).bind(*args, **kwargs)
        bound.apply_defaults()
        tensors = {n: v for n, v in bound.arguments.items() if _is_spec(v)}
        attrs = {n: v for n, v in bound.arguments.items() if not _is_spec(v)}
        results = {name: tensors.pop(name) for name in self.outputs if name in tensors}
        path = f"{self.func.__module__}:{self.func_name}"
        config = backend_config(path, self.grid or (), tensors, results, attrs)
        return config, [*tensors], [*results]


def kernel_of(op: CoreOp) -> NkiKernel:
    """Return the NKI kernel of `op`. Raises TypeError if the op has none."""
    if op.name not in KERNELS:
        raise TypeError(f"{op.name}: there is no NKI kernel")
    return KERNELS[op.name]


def dump_config(op: CoreOp, *args: Any, grid: Sequence[int] | None = None, **kwargs: Any) -> Config:
    """Return the `backend_config` of the NKI kernel of `op`, its operands and results by name.

    `args` has a `TensorSpec` for each input, with None for an absent one. Results may follow, or
    be passed as `out=` or by name, or be omitted. Attrs are keyword arguments. `grid` replaces the
    grid of the spec. Without either, the grid is the number of cores. Raises TypeError and
    ValueError like `infer`, and ValueError for a call that the kernel rejects.
    """
    kernel = kernel_of(op)
    given = _given(kernel, args, kwargs)
    launch = kernel.bind(*args[: len(kernel.operands)], **kwargs)
    for text in launch.unmet("neuron"):
        raise ValueError(f"{op.name}: the NKI kernel requires {text}")
    named = zip(launch.results._fields, launch.results)
    results = {name: spec for name, spec in named if spec is not None}  # that this call has
    for name, spec in given.items():
        wanted = results.get(name)
        if spec != wanted:
            raise ValueError(f"{op.name}: {name}: expected {wanted}, got {spec}")
    operands = {name: spec for name, spec in zip(kernel.operands, args) if spec is not None}
    config = backend_config(
        kernel.path,
        (launch.grid or (kernel.cores(),)) if grid is None else grid,
        operands,
        results,
        launch.attrs,
        kernel.pack(*launch.descriptor),
    )
    return config, [*operands], [*results]


def _given(kernel: NkiKernel, args: Sequence[Any], kwargs: dict[str, Any]) -> dict[str, TensorSpec]:
    """Return the results passed to a call: by position, by name, or the first one as `out`."""
    op, count, names = kernel.op, len(kernel.operands), kernel.results
    if len(args) > count + len(names):
        most = count + len(names)
        raise TypeError(f"{op.name}: expected at most {most} tensors, got {len(args)}")
    given = dict(zip(names, args[count:]))
    for key, name in (("out", names[0]), *zip(names, names)):
        if key in kwargs:
            if name in given:
                raise TypeError(f"{op.name}: {name}: got two of them")
            given[name] = kwargs.pop(key)
    return given


def backend_config(
    path: str,
    grid: Sequence[int],
    inputs: Mapping[str, TensorSpec],
    outputs: Mapping[str, TensorSpec],
    attrs: Mapping[str, Any] | None = None,
    descriptor: bytes = b"",
) -> str:
    """Return a kernel's config for tensors like these; `file.py:function` or `module:function`."""
    module, _, function = path.rpartition(":")
    tensors = {**inputs, **outputs}
    values = {
        "kernel_version": KERNEL_VERSION,
        "func_name": function,
        "module": module.rpartition("/")[2].removesuffix(".py"),
        "grid": [int(size) for size in grid],
        "input_names": [*inputs],
        "output_names": [*outputs],
        "shapes": {name: [*map(int, spec.shape)] for name, spec in tensors.items()},
        "dtypes": {name: _neuron_name(spec.dtype) for name, spec in tensors.items()},
        "attrs": dict(attrs or {}),
        "descriptor": base64.b64encode(descriptor).decode(),
    }
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    return base64.b64encode(text.encode()).decode()


def values_of(config: str) -> dict[str, Any]:
    """Decode a `backend_config`."""
    found: dict[str, Any] = json.loads(base64.b64decode(config))
    return found


def _name_of(func: CoreOp | Callable[..., Any]) -> str:
    if not isinstance(func, CoreOp):
        return func.__name__
    return kernel_of(func).path.rpartition(":")[2]


def _is_spec(value: Any) -> bool:
    return isinstance(value, TensorSpec)


def _in_spec(value: Any) -> Any:
    """Return a tensor's dtype by its name in specs."""
    if not _is_spec(value):
        return value
    found = NEURON_DTYPES.get(value.dtype)
    return TensorSpec(value.shape, found.name if found else value.dtype)


def _neuron_name(dtype: str) -> str:
    return DTYPES[dtype].numpy if dtype in DTYPES else dtype


def _key(value: Any) -> Any:
    """Return the cache key of a specialisation, which distinguishes 1, 1.0 and True."""
    if _is_spec(value):
        return value
    if isinstance(value, list | tuple):
        return type(value), tuple(map(_key, value))
    if isinstance(value, dict):
        return dict, tuple((name, _key(value[name])) for name in sorted(value))
    return type(value), repr(value) if isinstance(value, float) else value


def _hlo_type(dtype: str, shape: Sequence[int]) -> str:
    """Return HLO's text for a row-major array: `f32[256,1024]{1,0}`."""
    order = ",".join(map(str, reversed(range(len(shape)))))
    layout = f"{{{order}}}" if shape else ""
    return f"{NEURON_DTYPES[dtype].xla.lower()}[{','.join(map(str, shape))}]{layout}"
