"""The arguments and results of an op, and what is wrong with a call. Rendered by opgen."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from ... import core
from ...core import TensorSpec
from ...core._runtime import check_wanted
from .dtypes import DTYPES, NAMES

CALLS: dict[str, Call] = {}


class Call:
    """What a call of one op takes and gives."""

    def __init__(self, op: torch._ops.OpOverload) -> None:
        arguments = op._schema.arguments
        self.name = op._schema.name.partition("::")[2]
        self.defaults = {each.name: each.default_value for each in arguments}
        self.inputs = [a.name for a in arguments if "Tensor" in str(a.type)]
        self.updated = [a.name for a in arguments if a.is_write]
        self.written = [each.name for each in op._schema.returns]

    @cached_property
    def core(self) -> core.CoreOp:
        """The op as `core` knows it."""
        return getattr(core, self.name)

    @cached_property
    def infer(self) -> Callable[..., tuple[Any, ...]]:
        """The rules of the spec: from the specs of the arguments to those of the results."""
        return self.core.infer

    @cached_property
    def on_request(self) -> tuple[str, ...]:
        """The results that are computed only where they are asked for."""
        return (self.infer.__kwdefaults__ or {}).get("wanted", ())

    def bind(
        self, args: Sequence[Any], kwargs: Mapping[str, Any] = {}
    ) -> dict[str, Any]:
        """All arguments by name, in order: PyTorch leaves out those at their default."""
        given = {**dict(zip(self.defaults, args)), **kwargs}
        return {name: given.get(name, value) for name, value in self.defaults.items()}

    def results(self, arguments: Mapping[str, Any]) -> tuple[Any, ...]:
        """The specs of the results. Raises TypeError or ValueError for a wrong call."""
        return self._described(self.infer, arguments)

    def launch(self, arguments: Mapping[str, Any], **options: Any) -> Any:
        """What kernels are told; `options` are those of `bind` alone."""
        return self._described(self.core.bind, arguments, **options)

    def _described(
        self, function: Callable[..., Any], arguments: Mapping[str, Any], **options: Any
    ) -> Any:
        """The result of `infer` or `bind` for these arguments."""
        specs = {name: spec_of(value) for name, value in arguments.items()}
        inputs = [specs.pop(name) for name in self.inputs]
        if self.on_request:
            asked = {n for i, n in enumerate(self.written) if specs["wanted"] >> i & 1}
            specs["wanted"] = [name for name in self.on_request if name in asked]
        try:
            return function(*inputs, **specs, **options)
        except ZeroDivisionError as error:  # `d**-0.5` where d is 0
            raise ValueError(f"{self.name}: {error}") from None

    def bits(self, wanted: Collection[str]) -> int:
        """The results `wanted` as an op takes them: bit i stands for result i."""
        names = check_wanted(self.name, wanted, self.on_request)
        return sum(1 << self.written.index(name) for name in names)

    def device(self, arguments: Mapping[str, Any]) -> torch.device:
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


def number(value: Any, *of: Any) -> Any:
    """A Python number for a scalar input, as a tensor; anything else as it is.

    It takes the dtype and the device of the first of the tensors `of`, which may begin with
    a dtype's name. A fraction does not become an integer.
    """
    if not isinstance(value, (bool, int, float)):
        return value
    tensors = [tensor for each in of for tensor in _tensors(each)]
    name = of[0] if isinstance(of[0], str) else None
    if name is None and not tensors:
        return value
    dtype = DTYPES[name] if name else tensors[0].dtype
    if isinstance(value, float) and not dtype.is_floating_point:
        return value
    return torch.tensor(value, dtype=dtype, device=tensors[0].device if tensors else None)  # fmt: skip


def sizes(name: str, names: Sequence[str], *inputs: Any, **attrs: Any) -> tuple[int, ...]:  # fmt: skip
    """The sizes `names` of a call of op `name`, which functions of the spec compute."""
    options = {key: spec_of(value) for key, value in attrs.items()}
    found = getattr(core, name).complete(*map(spec_of, inputs), **options)
    return tuple(found[each] for each in names)


def wanted_bits(name: str, wanted: Collection[str]) -> int:
    """Which results of op `name` are asked for, as it takes them."""
    return CALLS[name].bits(wanted)


def explain(name: str, error: Exception, *args: Any) -> Exception:
    """What to raise for a failed call of `name`: what is wrong with it, if anything is."""
    call = CALLS[name]
    arguments = call.bind(args)
    try:
        call.results(arguments)
        device = call.device(arguments)
    except (TypeError, ValueError) as reason:
        return reason.with_traceback(None)
    if "Could not run" in str(error):
        return NotImplementedError(f"{name}: there is no kernel for {device.type}")
    return error


def spec_of(value: Any) -> Any:
    """A tensor or dtype as `core` knows it; anything else as it is."""
    if isinstance(value, Tensor):
        return TensorSpec(tuple(value.shape), NAMES.get(value.dtype, str(value.dtype)))
    if isinstance(value, torch.dtype):
        return NAMES.get(value, str(value))
    if isinstance(value, (list, tuple)) and not isinstance(value, TensorSpec):
        return [spec_of(each) for each in value]
    return value


def empty(spec: Any, device: torch.device) -> Any:
    """A tensor, or a list of them, without values; None for an absent one."""
    if spec is None:
        return None
    if isinstance(spec, TensorSpec):
        options = {"dtype": DTYPES[spec.dtype], "device": device}
        if spec.order is not None:
            return torch.empty_permuted(spec.shape, spec.order, **options)
        return torch.empty(spec.shape, **options)
    return [empty(each, device) for each in spec]


def bare(results: Sequence[Any]) -> Any:
    """Results as an op returns them: a single one bare."""
    if len(results) > 1:
        return tuple(results)
    return results[0] if results else None


def _tensors(value: Any) -> list[Tensor]:
    values = value if isinstance(value, (list, tuple)) else [value]
    return [each for each in values if isinstance(each, Tensor)]
