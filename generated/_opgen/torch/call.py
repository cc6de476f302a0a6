"""The arguments and results of an op, and the error messages for wrong calls."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from ..core.facts import OpFacts
from ..core.kinds import check_wanted, is_list
from ..core.libraries import left_out
from ..core.project import LIBRARIES, core_op
from ..core.runtime import HOST, CoreOp, TensorSpec, amd_arch, check_memory
from .dtypes import DTYPES, NAMES
from .kinds import PYTHON_TYPES, holds_tensors, packed, spec_names, tensors_in, unfit

CALLS: dict[str, Call] = {}

# Before PyTorch 2.13, kernels receive only this message if an allocation fails.
_NO_MEMORY = "torch failed to allocate a tensor"


class Call:
    """The arguments and results of one op, as PyTorch passes them."""

    def __init__(self, op: torch._ops.OpOverload) -> None:
        arguments = op._schema.arguments
        self.name = op._schema.name.partition("::")[2]
        given = dict(zip(spec_names(op._schema), arguments))
        self.names = {each.name: name for name, each in given.items()}
        self.defaults = {name: each.default_value for name, each in given.items()}
        self.inputs = [name for name, each in given.items() if holds_tensors(each)]
        self.updated = [name for name, a in given.items() if a.is_write]
        self.written = [each.name for each in op._schema.returns]

    @cached_property
    def core(self) -> CoreOp:
        """Return the op's description in `core`."""
        return core_op(self.name)

    @cached_property
    def infer(self) -> Callable[..., tuple[Any, ...]]:
        """Return the function that checks arguments and returns the `TensorSpec` of each result."""
        return self.core.infer

    @property
    def facts(self) -> OpFacts:
        """Return the description of the op. The first access imports its module."""
        return self.core.facts

    @cached_property
    def on_request(self) -> tuple[str, ...]:
        """Return the names of results that the op computes only on request."""
        return self.facts.on_request

    @cached_property
    def host(self) -> frozenset[str]:
        """Return the inputs that the host reads. They must be on the CPU."""
        return frozenset(each.name for each in self.facts.inputs if each.host)

    @cached_property
    def folds(self) -> frozenset[str]:
        """Return the inputs that can take a batch axis as an additional leading dim."""
        return frozenset(each.name for each in self.facts.inputs if each.folds)

    def bind(self, args: Sequence[Any], kwargs: Mapping[str, Any] = {}) -> dict[str, Any]:
        """Return all arguments by name, in order. Arguments that PyTorch left out have their
        defaults.
        """
        given = dict(zip(self.defaults, args))
        given |= {self.names[name]: value for name, value in kwargs.items()}
        return {name: given.get(name, value) for name, value in self.defaults.items()}

    def results(self, arguments: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return the `TensorSpec` of each result. Raise an error for a wrong call."""
        found: tuple[Any, ...] = self._described(self.infer, arguments)
        check_memory(self.name, found)
        return found

    def launch(self, arguments: Mapping[str, Any], **options: Any) -> Any:
        """Return the `Launch` of a call: the values that its kernels receive, or that the choice of
        kernel depends on.

        `options` are additional arguments of the rendered `bind` that `infer` does not have.
        """
        if self.core.bind is None:
            raise TypeError(f"{self.name}: kernels receive nothing from Python")
        return self._described(self.core.bind, arguments, **options)

    def _described(
        self, function: Callable[..., Any], arguments: Mapping[str, Any], **options: Any
    ) -> Any:
        """Return the result of `infer` or `bind` for these arguments."""
        given = dict(arguments)
        inputs = [spec_of(given.pop(name)) for name in self.inputs]
        specs = {name: attr_of(value) for name, value in given.items()}
        if self.on_request:
            asked = {n for i, n in enumerate(self.written) if specs["wanted"] >> i & 1}
            specs["wanted"] = [name for name in self.on_request if name in asked]
        try:
            return function(*inputs, **specs, **options)
        except ZeroDivisionError as error:  # `d**-0.5` where d is 0
            raise ValueError(f"{self.name}: {error}") from None

    def bits(self, wanted: Collection[str]) -> int:
        """Encode the requested results `wanted` as an integer, in which bit i is set if result i is
        requested.
        """
        names = check_wanted(self.name, wanted, on_request(self.name))
        return sum(1 << self.written.index(name) for name in names)

    def device(self, arguments: Mapping[str, Any]) -> torch.device:
        """Return the device of all tensors, except tensors that the host reads from the CPU.

        Raises ValueError if there are several devices. Tensors that the host reads may also be on
        the meta device.
        """
        found: dict[str, torch.device] = {}
        for name in self.inputs:
            for i, tensor in enumerate(tensors_in(arguments[name])):
                label = name if isinstance(arguments[name], Tensor) else f"{name}[{i}]"
                if name in self.host:
                    if tensor.device.type not in ("cpu", "meta"):
                        raise ValueError(
                            f"{self.name}: {label}: expected a tensor on cpu, which the host "
                            f"reads, got one on {tensor.device}"
                        )
                    continue
                first = next(iter(found.values()), tensor.device)
                if tensor.device != first:
                    raise ValueError(
                        f"{self.name}: {label}: expected a tensor on {first}, as "
                        f"{next(iter(found))}, got one on {tensor.device}"
                    )
                found[label] = tensor.device
        return next(iter(found.values()))


def sizes(name: str, names: Sequence[str], /, *inputs: Any, **attrs: Any) -> tuple[int, ...]:
    """Return the attrs `names` of a call, with defaults that the spec computes from sizes."""
    options = {key: attr_of(value) for key, value in attrs.items()}
    op = core_op(name)
    if op.sized_by:
        call = CALLS[name]
        others = (x for n, x in zip(call.inputs, inputs) if n not in call.host)
        found = [tensor.device for each in others for tensor in tensors_in(each)]
        facts = device_facts(found[0].type, found[0].index) if found else ()
        options |= {fact: value for fact, value in facts if fact in op.sized_by}
    values = op.complete(*map(spec_of, inputs), **options)
    return tuple(values[each] for each in names)


def device_facts(kind: str, index: int | None) -> tuple[tuple[str, int], ...]:
    """Return `arch` and `sms` of a device. A device that is not a GPU has the values of the CPU."""
    if kind != "cuda":
        return tuple(HOST.items())
    found = torch.cuda.get_device_properties(index)
    amd = platform_of(kind) == "hip"
    arch = amd_arch(found.gcnArchName) if amd else 10 * found.major + found.minor
    return ("arch", arch), ("sms", found.multi_processor_count)


def platform_of(kind: str) -> str:
    """Return the kernel platform of a kind of device. PyTorch for ROCm calls AMD's GPUs "cuda"."""
    return "hip" if kind == "cuda" and torch.version.hip else kind


# This has the effect of torch.compiler.assume_constant_result, which would import all of Dynamo.
device_facts._dynamo_marked_constant = True  # type: ignore[attr-defined]


def on_request(name: str) -> tuple[str, ...]:
    """Return the names of results that op `name` computes only on request."""
    return CALLS[name].on_request


# This has the effect of torch.compiler.assume_constant_result, which would import all of Dynamo.
# Before Python 3.12, a cached property takes a lock, which Dynamo cannot trace.
on_request._dynamo_marked_constant = True  # type: ignore[attr-defined]


def wanted_bits(name: str, wanted: Collection[str]) -> int:
    """Return the requested results of op `name` as the bits of an integer."""
    return CALLS[name].bits(wanted)


def explain(name: str, error: Exception, *args: Any) -> Exception:
    """Return the exception to raise after a call to `name` has failed with an error.

    If the checks find a mistake in the arguments, the message names it.
    """
    call = CALLS[name]
    arguments = call.bind(args)
    try:
        specs, device = call.results(arguments), call.device(arguments)
    except (TypeError, ValueError) as reason:
        return reason.with_traceback(None)
    if str(error) == _NO_MEMORY:
        return _allocation_error(specs, device) or error
    if "Could not run" in str(error):
        hint = left_out(LIBRARIES)
        return NotImplementedError(f"{name}: there is no kernel for {device.type}{hint}")
    return error


def _allocation_error(specs: Sequence[Any], device: torch.device) -> Exception | None:
    """Return PyTorch's error if the results do not fit in memory, and None if they do."""
    try:
        [empty(spec, device) for spec in specs]
    except RuntimeError as reason:
        return reason.with_traceback(None)
    return None


def spec_of(value: Any) -> Any:
    """Return the shape and dtype of a tensor, or of each tensor in a list. Other values are
    unchanged.
    """
    if isinstance(value, Tensor):
        return unfit(value) or TensorSpec(
            tuple(value.shape), NAMES.get(value.dtype, str(value.dtype))
        )
    if is_list(value):
        return [spec_of(each) for each in value]
    return value


def attr_of(value: Any) -> Any:
    """Return a dtype's name in specs. Any other attr value is unchanged."""
    if isinstance(value, (torch.dtype, type)):
        dtype = PYTHON_TYPES.get(value, value)
        return NAMES.get(dtype, str(dtype))
    return value


def empty(spec: Any, device: torch.device, arguments: Mapping[str, Any] = {}) -> Any:
    """Return the uninitialised tensor, or list of tensors, that `spec` describes. For None, return
    None.

    `spec` also determines the strides. If it refers to an argument for the strides, `arguments` has
    the value of this argument.
    """
    if spec is None:
        return None
    if isinstance(spec, TensorSpec):
        like = arguments.get(spec.like) if spec.like else None
        if packed(spec.dtype):
            raise TypeError(f"PyTorch has no tensors of dtype {spec.dtype}")
        options: dict[str, Any] = {"dtype": DTYPES[spec.dtype], "device": device}
        if spec.order is not None:
            return torch.empty_permuted(spec.shape, spec.order, **options)
        if like is not None:
            return torch.empty_like(like, **options)
        return torch.empty(spec.shape, **options)
    return [empty(each, device, _item(arguments, n)) for n, each in enumerate(spec)]


def _item(arguments: Mapping[str, Any], n: int) -> Mapping[str, Any]:
    """Return the arguments, with only tensor `n` of each list."""
    lists = {name: value for name, value in arguments.items() if is_list(value)}
    return {name: value[n] for name, value in lists.items() if n < len(value)}


def bare(results: Sequence[Any]) -> Any:
    """Return results in the form that the op returns them: a single result is not in a tuple."""
    if len(results) > 1:
        return tuple(results)
    return results[0] if results else None
