"""The arguments and results of an op, and what is wrong with a call."""

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

# All that PyTorch before 2.13 lets kernels know of an allocation that failed.
_NO_MEMORY = "torch failed to allocate a tensor"


class Call:
    """What a call of one op takes and gives."""

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
        """The op as `core` knows it."""
        return core_op(self.name)

    @cached_property
    def infer(self) -> Callable[..., tuple[Any, ...]]:
        """The rules of the spec: from the specs of the arguments to those of the results."""
        return self.core.infer

    @property
    def facts(self) -> OpFacts:
        """The facts of the op; they are imported when they are first asked for."""
        return self.core.facts

    @cached_property
    def on_request(self) -> tuple[str, ...]:
        """The results that are computed only where they are asked for."""
        return self.facts.on_request

    @cached_property
    def host(self) -> frozenset[str]:
        """The inputs that the host reads: they live on the CPU."""
        return frozenset(each.name for each in self.facts.inputs if each.host)

    @cached_property
    def folds(self) -> frozenset[str]:
        """The inputs whose leading dims a batch joins."""
        return frozenset(each.name for each in self.facts.inputs if each.folds)

    def bind(self, args: Sequence[Any], kwargs: Mapping[str, Any] = {}) -> dict[str, Any]:
        """All arguments by name, in order: PyTorch leaves out those at their default."""
        given = dict(zip(self.defaults, args))
        given |= {self.names[name]: value for name, value in kwargs.items()}
        return {name: given.get(name, value) for name, value in self.defaults.items()}

    def results(self, arguments: Mapping[str, Any]) -> tuple[Any, ...]:
        """The specs of the results. Raises TypeError or ValueError for a wrong call."""
        found: tuple[Any, ...] = self._described(self.infer, arguments)
        check_memory(self.name, found)
        return found

    def launch(self, arguments: Mapping[str, Any], **options: Any) -> Any:
        """What kernels receive; `options` are those of `bind` alone."""
        if self.core.bind is None:
            raise TypeError(f"{self.name}: kernels receive nothing from Python")
        return self._described(self.core.bind, arguments, **options)

    def _described(
        self, function: Callable[..., Any], arguments: Mapping[str, Any], **options: Any
    ) -> Any:
        """The result of `infer` or `bind` for these arguments."""
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
        """The results `wanted` as an op takes them: bit i stands for result i."""
        names = check_wanted(self.name, wanted, self.on_request)
        return sum(1 << self.written.index(name) for name in names)

    def device(self, arguments: Mapping[str, Any]) -> torch.device:
        """The device of all tensors but those that the host reads, which are on the CPU.

        Raises ValueError where there are several. On the meta device no tensor is read.
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
    """The sizes `names` of a call of op `name`, which functions of the spec compute."""
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
    """`arch` and `sms` of a device: of a GPU its own, of any other those of the CPU."""
    if kind != "cuda":
        return tuple(HOST.items())
    found = torch.cuda.get_device_properties(index)
    amd = platform_of(kind) == "hip"
    arch = amd_arch(found.gcnArchName) if amd else 10 * found.major + found.minor
    return ("arch", arch), ("sms", found.multi_processor_count)


def platform_of(kind: str) -> str:
    """The platform of kernels for a kind of device: PyTorch for ROCm calls AMD's GPUs "cuda"."""
    return "hip" if kind == "cuda" and torch.version.hip else kind


# What torch.compiler.assume_constant_result says, which would import all of dynamo here.
device_facts._dynamo_marked_constant = True  # type: ignore[attr-defined]


def wanted_bits(name: str, wanted: Collection[str]) -> int:
    """Which results of op `name` are asked for, as it takes them."""
    return CALLS[name].bits(wanted)


def explain(name: str, error: Exception, *args: Any) -> Exception:
    """What to raise for a failed call of `name`: what is wrong with it, if anything is."""
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
    """What PyTorch says of memory for results like these, if it has none."""
    try:
        [empty(spec, device) for spec in specs]
    except RuntimeError as reason:
        return reason.with_traceback(None)
    return None


def spec_of(value: Any) -> Any:
    """A tensor, or each of a list, as `core` knows it; anything else as it is."""
    if isinstance(value, Tensor):
        return unfit(value) or TensorSpec(
            tuple(value.shape), NAMES.get(value.dtype, str(value.dtype))
        )
    if is_list(value):
        return [spec_of(each) for each in value]
    return value


def attr_of(value: Any) -> Any:
    """A dtype by its name in specs; any other value of an attr as it is."""
    if isinstance(value, (torch.dtype, type)):
        dtype = PYTHON_TYPES.get(value, value)
        return NAMES.get(dtype, str(dtype))
    return value


def empty(spec: Any, device: torch.device, arguments: Mapping[str, Any] = {}) -> Any:
    """A tensor, or a list of them, without values; None for an absent one.

    It lies in memory as the spec says, like one of `arguments` where it says that.
    """
    if spec is None:
        return None
    if isinstance(spec, TensorSpec):
        like = arguments.get(spec.like) if spec.like else None
        if packed(spec.dtype):
            raise TypeError(f"PyTorch has no tensors of dtype {spec.dtype}")
        options: dict[str, Any] = {"dtype": DTYPES[spec.dtype], "device": device}
        if spec.pitch is not None:
            return torch.empty_strided(spec.shape, _strides(spec), **options)
        if spec.order is not None:
            return torch.empty_permuted(spec.shape, spec.order, **options)
        if like is not None:
            return torch.empty_like(like, **options)
        return torch.empty(spec.shape, **options)
    return [empty(each, device, _item(arguments, n)) for n, each in enumerate(spec)]


def _strides(spec: TensorSpec) -> tuple[int, ...]:
    """The strides of a result whose rows have a pitch."""
    memory, stride = spec.memory, 1
    strides = dict.fromkeys(range(len(memory)), 1)
    for dim in reversed(spec.order or range(len(memory))):
        strides[dim], stride = stride, stride * memory[dim]
    return tuple(strides.values())


def _item(arguments: Mapping[str, Any], n: int) -> Mapping[str, Any]:
    """Tensor `n` of each list."""
    lists = {name: value for name, value in arguments.items() if is_list(value)}
    return {name: value[n] for name, value in lists.items() if n < len(value)}


def bare(results: Sequence[Any]) -> Any:
    """Results as an op returns them: a single one bare."""
    if len(results) > 1:
        return tuple(results)
    return results[0] if results else None
