"""What the modules of `torch` share. Rendered by opgen.

Loads the libraries, and tells PyTorch what they cannot: fake kernels, the autograd rules,
batching, and what to say when a call is wrong.
"""

from __future__ import annotations

import ctypes
import math
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from ..core import TensorSpec

NAMESPACE = "generated"
LIBRARIES = Path(__file__).parents[1] / "lib"
# Names libraries of this layout: one of another is not found rather than misused.
LAYOUT = "43823671532c"
DTYPES = {
    torch.bfloat16: "bf16",
    torch.float16: "f16",
    torch.float32: "f32",
    torch.float64: "f64",
    torch.int8: "i8",
    torch.int16: "i16",
    torch.int32: "i32",
    torch.int64: "i64",
    torch.uint8: "u8",
    torch.uint16: "u16",
    torch.uint32: "u32",
    torch.uint64: "u64",
    torch.bool: "bool",
    torch.float8_e4m3fn: "f8e4m3",
    torch.float8_e5m2: "f8e5m2",
    torch.float8_e4m3fnuz: "f8e4m3fnuz",
    torch.float8_e5m2fnuz: "f8e5m2fnuz",
    torch.float8_e8m0fnu: "f8e8m0",
    torch.float4_e2m1fn_x2: "f4e2m1",
    torch.complex64: "c64",
    torch.complex128: "c128",
}
TORCH_DTYPES = {name: dtype for dtype, name in DTYPES.items()}


def _find(stem: str, reason: str = "") -> str:
    path = LIBRARIES / f"{stem}.so"
    if not path.is_file():
        raise ImportError(f"{path} is missing{reason}: run `opgen build`")
    return str(path)


def _load() -> Callable[[bytes, bytes], bytes | None]:
    """Register the ops; give the function that registers an autograd rule."""
    version = ".".join(torch.__version__.split(".")[:2])
    kernels = _find(f"lib{NAMESPACE}_torch-{LAYOUT}")
    autograd = _find(
        f"lib{NAMESPACE}_autograd-{LAYOUT}-{version}",
        f" (this is torch {torch.__version__})",
    )
    try:
        torch.ops.load_library(kernels)
        function = ctypes.CDLL(autograd).opgen_register
    except OSError as error:
        raise ImportError(f"{error}: run `opgen build`") from None
    function.restype = ctypes.c_char_p
    return function


_register_rule = _load()
_library = torch.library.Library(NAMESPACE, "FRAGMENT")
_calls: dict[str, _Call] = {}
_shardings: list[tuple[Any, dict[str, Any]]] = []


def register(
    name: str,
    infer: Callable[..., Any],
    *,
    rule: Sequence[str],
    fold: Sequence[str] = (),
    vmap: bool = True,
) -> torch._ops.OpOverload:
    """Complete the op `name` of the library, and give it.

    `rule` says how it is differentiated, a line for each fact. `fold` names the inputs
    whose leading dims a batch may join under `vmap`; else the op is called in a loop.
    """
    op = getattr(getattr(torch.ops, NAMESPACE), name).default
    problem = _register_rule(NAMESPACE.encode(), "\n".join(rule).encode())
    if problem:
        raise ImportError(problem.decode())
    call = _calls[name] = _Call(op, infer)
    torch.library.register_fake(f"{NAMESPACE}::{name}", call.fake, lib=_library)
    if vmap:
        batched = _batched(op, call, frozenset(fold))
        torch.library.register_vmap(f"{NAMESPACE}::{name}", batched, lib=_library)
    return op


def shard(op: torch._ops.OpOverload, **facts: Any) -> None:
    """Tell DTensor how `op` may be split, once it is used; `_dtensor.register` says what."""
    _shardings.append((op, facts))


def _tell_dtensor() -> None:
    """DTensor asks for the fake results of an op before it looks up how to split it."""
    if _shardings and "torch.distributed.tensor" in sys.modules:
        from . import _dtensor

        while _shardings:
            op, facts = _shardings.pop()
            _dtensor.register(op, **facts)


def explain(name: str, error: Exception, *args: Any) -> Exception:
    """What to raise for a failed call of `name`: what is wrong with it, if anything is."""
    call = _calls[name]
    arguments = call.bind(args)
    try:
        call.results(arguments)
        device = call.device(arguments)
    except (TypeError, ValueError) as reason:
        return reason.with_traceback(None)
    if "Could not run" in str(error):
        return NotImplementedError(f"{name}: there is no kernel for {device.type}")
    return error


class _Call:
    """The arguments and results of one op."""

    def __init__(self, op: torch._ops.OpOverload, infer: Callable[..., Any]) -> None:
        arguments = op._schema.arguments
        self.name, self.infer = op._schema.name.partition("::")[2], infer
        self.defaults = {each.name: each.default_value for each in arguments}
        self.inputs = [a.name for a in arguments if "Tensor" in str(a.type)]
        self.written = {a.name for a in arguments if a.is_write}

    def bind(self, args: Sequence[Any], kwargs: Any = {}) -> dict[str, Any]:
        """All arguments by name, in order: PyTorch leaves out those at their default."""
        given = dict(zip(self.defaults, args)) | kwargs
        return {name: given.get(name, value) for name, value in self.defaults.items()}

    def results(self, arguments: dict[str, Any]) -> Any:
        """The specs of the results. Raises TypeError or ValueError for a wrong call."""
        specs = {name: _spec(value) for name, value in arguments.items()}
        inputs = [specs.pop(name) for name in self.inputs]
        return self.infer(*inputs, **specs)

    def device(self, arguments: dict[str, Any]) -> torch.device:
        """The device of all tensors. Raises ValueError where there are several."""
        found: dict[str, torch.device] = {}
        for name in self.inputs:
            for tensor in _tensors(arguments[name]):
                first = next(iter(found.values()), tensor.device)
                if tensor.device != first:
                    raise ValueError(
                        f"{self.name}: {name}: expected a tensor on {first}, as "
                        f"{next(iter(found))}, got one on {tensor.device}"
                    )
                found[name] = tensor.device
        return next(iter(found.values()))

    def fake(self, *args: Any, **kwargs: Any) -> Any:
        """Results without values, for arguments whose sizes may be symbolic."""
        _tell_dtensor()
        arguments = self.bind(args, kwargs)
        specs = self.results(arguments)
        device = self.device(arguments)
        return _bare([_empty(spec, device) for spec in specs])


def _spec(value: Any) -> Any:
    """A tensor or dtype as `core` knows it; anything else as it is."""
    if isinstance(value, Tensor):
        return TensorSpec(tuple(value.shape), DTYPES.get(value.dtype, str(value.dtype)))
    if isinstance(value, torch.dtype):
        return DTYPES.get(value, str(value))
    if isinstance(value, (list, tuple)):
        return [_spec(each) for each in value]
    return value


def _tensors(value: Any) -> list[Tensor]:
    values = value if isinstance(value, (list, tuple)) else [value]
    return [each for each in values if isinstance(each, Tensor)]


def _empty(spec: Any, device: torch.device) -> Any:
    if spec is None:
        return None
    if isinstance(spec, TensorSpec):
        return torch.empty(spec.shape, dtype=TORCH_DTYPES[spec.dtype], device=device)
    return [_empty(each, device) for each in spec]


def _bare(results: Sequence[Any]) -> Any:
    """Results as an op returns them: a single one bare."""
    if len(results) > 1:
        return tuple(results)
    return results[0] if results else None


def _batched(op: Any, call: _Call, fold: frozenset[str]) -> Callable[..., Any]:
    """The `vmap` rule of an op."""

    def rule(info: Any, in_dims: tuple[Any, ...], *args: Any, **kwargs: Any) -> Any:
        arguments = call.bind(args, kwargs)
        dims = dict(zip(arguments, in_dims))
        batched = {name for name in arguments if _any(dims.get(name))}
        size = info.batch_size
        if not call.written <= batched:
            names = ", ".join(sorted(call.written - batched))
            raise ValueError(f"{call.name}: {names}: updated, so must be batched too")
        if batched <= fold:
            for name in fold:
                arguments[name] = _lead(arguments[name], dims[name], size)
            results = op(*arguments.values())
            return results, _dims_like(results)
        # A loop; of an empty batch only the shapes are kept.
        for name in batched:
            arguments[name] = _rows(arguments[name], dims[name], max(size, 1))
        rows = [
            op(*(v[row] if n in batched else v for n, v in arguments.items()))
            for row in range(max(size, 1))
        ]
        results = _stack(rows, size)
        return results, _dims_like(results)

    return rule


def _any(dims: Any) -> bool:
    return any(d is not None for d in dims) if isinstance(dims, (list, tuple)) else dims is not None  # fmt: skip


def _lead(tensor: Tensor, dim: int | None, size: int) -> Tensor:
    """The batch as leading dim: moved there, or made."""
    return tensor.expand(size, *tensor.shape) if dim is None else tensor.movedim(dim, 0)


def _rows(value: Any, dim: Any, size: int) -> Any:
    """The elements of a batched argument; zeros where the batch is empty."""
    if isinstance(dim, (list, tuple)):
        return list(zip(*(_rows(v, d, size) for v, d in zip(value, dim))))
    moved = _lead(value, dim, size)
    return moved.unbind(0) if len(moved) else [moved.new_zeros(moved.shape[1:])]


def _stack(rows: list[Any], size: int) -> Any:
    if isinstance(rows[0], (list, tuple)):
        return type(rows[0])(_stack(list(each), size) for each in zip(*rows))
    return None if rows[0] is None else torch.stack(rows)[:size]


def _dims_like(results: Any) -> Any:
    """The batch dim of every result: the first."""
    if isinstance(results, (list, tuple)):
        return type(results)(_dims_like(each) for each in results)
    return None if results is None else 0


def reference(module: str, function: str) -> Callable[..., tuple[Any, ...]]:
    """A reference function over tensors, as a tuple of results; imported when first called."""

    def call(*inputs: Any, **attrs: Any) -> tuple[Any, ...]:
        from array_api_compat import torch as xp

        package = __package__.rpartition(".")[0]
        target = getattr(import_module(f"{package}.reference.{module}"), function)
        results = target(xp, *inputs, **{n: _spec(v) for n, v in attrs.items()})
        return results if isinstance(results, tuple) else (results,)

    return call


def backward_reference(
    forward: Callable[..., tuple[Any, ...]],
    infer: Callable[..., Any],
    *,
    inputs: Sequence[str],
    attrs: Mapping[str, str] = {},
    primals: Sequence[str | None],
    cotangents: Sequence[str | None],
    gradients: Sequence[int],
) -> Callable[..., tuple[Any, ...]]:
    """A backward as autodiff of the reference of its forward.

    `primals`, `attrs` and `cotangents` say by which of the backward's arguments the
    forward's inputs and attrs are given, and the cotangents of its results; `gradients`,
    with respect to which of the forward's inputs each result is. Residuals are computed
    anew.
    """

    def call(*tensors: Any, **values: Any) -> tuple[Any, ...]:
        given = dict(zip(inputs, tensors))
        specs = infer(*map(_spec, tensors), **{n: _spec(v) for n, v in values.items()})
        xs = [None if name is None else given[name] for name in primals]
        device = next(t.device for t in tensors if isinstance(t, Tensor))
        for position, spec in zip(gradients, specs):
            if primals[position] is None:  # the gradient does not depend on its value
                xs[position] = torch.zeros_like(_empty(spec, device))
        chosen = [position for position in gradients if xs[position] is not None]
        options = {theirs: values[ours] for theirs, ours in attrs.items()}

        def results(*some: Any) -> tuple[Any, ...]:
            merged = dict(enumerate(xs)) | dict(zip(chosen, some))
            pairs = zip(forward(*merged.values(), **options), cotangents)
            return tuple(y for y, name in pairs if name and given[name] is not None)

        ys, pullback = torch.func.vjp(results, *(xs[i] for i in chosen))
        dys = [given[name] for name in cotangents if name and given[name] is not None]
        found = dict(zip(chosen, pullback(tuple(map(_like, dys, ys)))))
        return tuple(_like(found.get(i), spec) for i, spec in zip(gradients, specs))

    return call


def _like(tensor: Any, other: Any) -> Any:
    """`tensor` in the dtype of another tensor or spec, if both are there."""
    if tensor is None or other is None:
        return tensor
    return tensor.to(TORCH_DTYPES.get(other.dtype, other.dtype))


def define_gradient(
    schema: str,
    function: Callable[..., tuple[Any, ...]],
    *,
    inputs: Sequence[str],
    attrs: Sequence[str] = (),
    wanted: Sequence[str],
) -> None:
    """Define the op that differentiates `function`, an op's reference.

    Its arguments are the cotangents of the results (None: no such), the inputs, the attrs,
    and which gradients with respect to `wanted` are asked for.
    """

    def gradient(*args: Any) -> Any:
        *rest, needed = args
        count = len(rest) - len(inputs) - len(attrs)
        cotangents = rest[:count]
        given = dict(zip((*inputs, *attrs), rest[count:]))
        values = {name: given.pop(name) for name in attrs}
        chosen = [name for name, asked in zip(wanted, needed) if asked]

        def results(*xs: Any) -> tuple[Any, ...]:
            merged = given | dict(zip(chosen, xs))
            pairs = zip(function(*merged.values(), **values), cotangents)
            return tuple(result for result, dy in pairs if dy is not None)

        ys, pullback = torch.func.vjp(results, *(given[name] for name in chosen))
        dys = [dy for dy in cotangents if dy is not None]
        grads = dict(zip(chosen, pullback(tuple(map(_like, dys, ys)))))
        return _bare([grads.get(name) for name in wanted])

    # In front of functorch, too: inside a transform no other one may begin.
    _library.define(schema)
    for key in ("CompositeImplicitAutograd", "FuncTorchDynamicLayerFrontMode"):
        _library.impl(schema.partition("(")[0], gradient, key)


@cache
def _say_once(text: str) -> None:
    warnings.warn(text, stacklevel=4)


def fall_back(name: str, function: Callable[..., tuple[Any, ...]]) -> None:
    """Run the reference of op `name` where it has no kernel; a warning says so once.

    It does not know the residuals: they are NaN, and a backward that falls back with it
    does not read them.
    """

    def run(*args: Any) -> Any:
        call = _calls[name]
        arguments = call.bind(args)
        specs, device = call.results(arguments), call.device(arguments)
        _say_once(f"{name} has no kernel for {device.type}: its reference runs")
        inputs = [arguments.pop(each) for each in call.inputs]
        # Copies: an op's result neither shares memory with an input nor has gaps.
        copy = partial(torch.clone, memory_format=torch.contiguous_format)
        results = [copy(each) for each in function(*inputs, **arguments)]
        residuals = [_empty(spec, device) for spec in specs[len(results) :]]
        return _bare([*results, *(each.fill_(math.nan) for each in residuals)])

    _library.impl(name, run, "CompositeExplicitAutograd")
