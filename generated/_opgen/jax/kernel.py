"""A kernel, and what its spec says of it. Rendered by opgen."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax

from ..core import kernel_choice as _kernels
from ..core.runtime import CoreOp, check_memory
from .arrays import spec_of
from .library import PLATFORMS, register
from .platforms import default_facts, device_facts

# A shape as the spec writes it, or those an input may have: the first of its rank is meant.
Shape = str | tuple[str, ...]
# The shapes of inputs and outputs, the names of the dims that may be split.
Case = tuple[tuple[Shape, ...], tuple[str, ...], tuple[str, ...]]

# For each result, how it is reduced over which dims: `sum`, `mean(count)`.
Reduce = tuple[Mapping[str, str], ...]
# For each input: the terms of its shape from the slowest to the fastest, and which is the group.
Orders = tuple[str | None, ...]


@dataclass(frozen=True, eq=False)
class Kernel:
    """The kernel of one op.

    `inputs` and `outputs` (residuals among them) hold a shape each; where they depend on the
    call, `case` gives them and `split` for its inputs and attributes. `attrs` maps each
    attribute to its type in XLA. `residuals` counts the outputs that users do not see,
    `on_request` names those that are computed only where they are asked for. `updates` are
    the positions of inputs that are written: their new values follow the outputs. `varies`
    says whether calls differ in what they hold. `numbers` are the positions of inputs that may
    be Python numbers, and what `scalar_dtype` finds their dtypes in: names, positions.

    `split` names the dims that may be split over mesh axes, `units` the multiples that some
    are split in, and `reduce` says for each result how it is reduced over which of them, or
    gives that for a call.
    `fold` names the groups that `jax.vmap` may add a dim to, where all results lead with one;
    `vmap` says whether a call may be batched at all. `wide` gives, for each input
    that has one, its 64-bit integer type. `fallback` is the reference function, where it
    may run in place of a missing kernel. `orders` gives, for each input whose dims are in
    memory in another order than row-major, the terms of its shape in that order (after `...`
    the fastest alone), or `columns`, or gives that for a call; `updated` says which of `updates` a
    call writes, where that depends. `demanding` says whether some kernel does not take
    every call, `device` what of the device that may depend on: `arch`, `sms`.

    `stages` names the dims that this kernel needs whole and those of others together may have
    split: they are run one after the other. `asked_by` maps positions of inputs that are there
    for some results on request only to the names of these. `begins` maps positions of inputs that say
    where a dim begins to its name; `seeds` are the positions of those for which a key may be given, `host` of those that
    the host reads.
    """

    core: CoreOp
    inputs: tuple[Shape, ...] = ()
    outputs: tuple[str, ...] = ()
    case: Callable[..., Case] | None = None
    attrs: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    platforms: tuple[str, ...] = ()
    residuals: int = 0
    on_request: tuple[str, ...] = ()
    updates: tuple[int, ...] = ()
    varies: bool = False
    numbers: Mapping[int, tuple[str | int, ...]] = field(default_factory=dict)
    split: tuple[str, ...] = ()
    units: Mapping[str, int] = field(default_factory=dict)
    reduce: Reduce | Callable[..., Reduce] = ()
    fold: tuple[str, ...] = ()
    vmap: bool = True
    wide: tuple[str | None, ...] = ()
    fallback: Callable[..., Any] | None = None
    orders: Orders | Callable[..., Orders] = ()
    updated: Callable[..., tuple[bool, ...]] | None = None
    demanding: bool = False
    device: tuple[str, ...] = ()
    stages: Mapping[str, tuple[Kernel, ...]] = field(default_factory=dict)
    asked_by: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    begins: Mapping[int, str] = field(default_factory=dict)
    seeds: tuple[int, ...] = ()
    host: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        register(self.core.name, self.platforms)

    @functools.cached_property
    def arguments(self) -> tuple[str, ...]:
        """The names of the inputs."""
        return self._parameters(inspect.Parameter.POSITIONAL_OR_KEYWORD)

    @functools.cached_property
    def options(self) -> tuple[str, ...]:
        """The names of the attrs."""
        given = self._parameters(inspect.Parameter.KEYWORD_ONLY)
        return given[:-1] if self.on_request else given  # the last is `wanted`

    @functools.cached_property
    def results(self) -> tuple[str, ...]:
        """The names of the outputs, residuals among them."""
        signature = inspect.signature(self.core.infer, eval_str=True)
        names: tuple[str, ...] = signature.return_annotation._fields
        return names

    @property
    def binding(self) -> Callable[..., Any]:
        """What checks a call for its kernels: there where they need more than its results."""
        assert self.core.bind is not None
        return self.core.bind

    def taken(self, wanted: Collection[str]) -> tuple[str, ...]:
        """The names of the inputs that are there where these results are `wanted`."""
        for_others = {n for n, names in self.asked_by.items() if not {*names} & {*wanted}}
        return tuple(x for n, x in enumerate(self.arguments) if n not in for_others)

    def _parameters(self, kind: Any) -> tuple[str, ...]:
        parameters = inspect.signature(self.core.infer).parameters.values()
        return tuple(p.name for p in parameters if p.kind is kind)

    def case_of(self, inputs: Sequence[Any], attrs: Mapping[str, Any]) -> Case:
        """The shapes of inputs and outputs in one call, and the dims that may be split."""
        if self.case is None:
            return self.inputs, self.outputs, self.split
        return self.case(*inputs, **attrs)

    def reduce_of(self, inputs: Sequence[Any], attrs: Mapping[str, Any]) -> Reduce:
        """How the results of one call are reduced over the dims that may be split."""
        return self.reduce(*inputs, **attrs) if callable(self.reduce) else self.reduce

    def orders_of(self, inputs: Sequence[Any], attrs: Mapping[str, Any]) -> Orders:
        """The order of each input's dims in one call."""
        orders = self.orders(*inputs, **attrs) if callable(self.orders) else self.orders
        return orders or (None,) * len(inputs)

    def updates_of(self, inputs: Sequence[Any], attrs: Mapping[str, Any]) -> list[int | None]:
        """The positions of the inputs that are written; None for one that this call leaves."""
        if self.updated is None:
            return list(self.updates)
        written = self.updated(*inputs, **attrs)
        return [n if each else None for n, each in zip(self.updates, written)]

    def infer(
        self, inputs: Sequence[Any], attrs: Mapping[str, Any], wanted: Collection[str] = ()
    ) -> Any:
        """Check a call and give the `TensorSpec` of each output, in the spec's dtypes.

        Of the outputs on request, only those that are `wanted` are there. Raises TypeError
        for a dtype, rank or kind, ValueError for a size or value.
        """
        options = {"wanted": wanted} if self.on_request else {}
        try:
            results = self.core.infer(*self._specs(inputs), **attrs, **options)
        except ZeroDivisionError as error:  # `d**-0.5` where d is 0
            raise ValueError(f"{self.core.name}: {error}") from None
        check_memory(self.core.name, results)
        return results

    def bind(self, inputs: Sequence[Any], attrs: Mapping[str, Any], **options: Any) -> Any:
        """Check a call as `infer` does, and more of it: `options` are those of `bind` alone."""
        return self.binding(*self._specs(inputs), **attrs, **self._facts(), **options)

    def differentiable(self, case: str, /, *inputs: Any, **attrs: Any) -> None:
        """Raise ValueError where `grad.require` of this case of the gradient refuses a call."""
        for text in self.bind(inputs, attrs).unmet(case):
            raise ValueError(f"{self.core.name}: requires {text}")

    def describe(self, inputs: Sequence[Any], attrs: Mapping[str, Any]) -> bytes:
        """Check a call and pack its descriptor; only where `core` can."""
        return self.core.describe(*self._specs(inputs), **attrs)

    def unmet(
        self,
        platform: str,
        inputs: Sequence[Any],
        attrs: Mapping[str, Any],
        wanted: Sequence[str] = (),
    ) -> list[str]:
        """What the kernel for `platform` requires and this call does not give it."""
        read = (self.arguments[n] for n in self.host if inputs[n] is not None)
        away = [] if platform == "cpu" else [f"`{name}` on the host" for name in read]
        only = _kernels.forced(self.core.name)
        if only == _kernels.REFERENCE:
            return [f"that `{only}` is not forced"]
        if away or only is not None or not self.demanding:
            return away
        launch = self.launch(platform, inputs, attrs, wanted)
        listed = _kernels.is_listed(self.core.name, platform)
        try:
            if not listed:
                found: list[str] = launch.unmet(platform)
                return found
            lacking = _kernels.unmet(self.core.name, platform, launch).values()
        except jax.errors.InconclusiveDimensionOperation:
            if not listed and platform in PLATFORMS:
                raise
            return []  # the sizes are symbolic: the call chooses when it knows them
        if not all(lacking) or not _kernels.reference_serves(self.core.name, platform):
            return []  # what calls ask for and no kernel guarantees is refused by the call
        return [" or ".join(" and ".join(texts) for texts in lacking)]

    def launch(
        self,
        platform: str,
        inputs: Sequence[Any],
        attrs: Mapping[str, Any],
        wanted: Sequence[str] = (),
    ) -> Any:
        """What a call gives the kernels for `platform`, as far as Python looks at it."""
        facts = {name: device_facts(platform).get(name) for name in self.device}
        options = {"wanted": wanted} if self.on_request else {}
        return self.binding(*self._specs(inputs), **attrs, **facts, **options)

    def complete(
        self, inputs: Sequence[Any], attrs: Mapping[str, Any], wanted: Sequence[str] | None = None
    ) -> dict[str, Any]:
        """The attrs of a call, also those that depend on sizes; all results if `wanted` is None."""
        asked = self.on_request and wanted is not None
        options = {"wanted": wanted} if asked else {}
        found = self.core.complete(*self._specs(inputs), **attrs, **self._facts(), **options)
        return {name: value for name, value in found.items() if name not in options}

    def completed(
        self, function: Callable[..., Any], wanted: Sequence[str] | None = None
    ) -> Callable[..., Any]:
        """A reference function, called with the defaults of attrs that depend on sizes."""

        @functools.wraps(function)
        def call(xp: Any, /, *inputs: Any, **attrs: Any) -> Any:
            return function(xp, *inputs, **self.complete(inputs, attrs, wanted))

        return call

    def _facts(self) -> dict[str, int | None]:
        """What sizes ask of the device."""
        if not self.core.sized_by:
            return {}
        known = default_facts()
        return {name: known.get(name) for name in self.core.sized_by}

    def _specs(self, inputs: Sequence[Any]) -> Iterator[Any]:
        return map(spec_of, inputs, self.wide or (None,) * len(inputs))
