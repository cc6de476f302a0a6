"""The kernel of an op, with the description of the op from its spec."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import jax

from ..core import kernel_choice as _kernels
from ..core.facts import OpFacts
from ..core.project import PACKAGE
from ..core.runtime import CoreOp, check_memory
from .arrays import spec_of
from .attributes import attribute
from .library import PLATFORMS, register
from .platforms import default_facts, device_facts


def kernel_of(op: str) -> Kernel:
    """Return the kernel of an op. The first use imports its module."""
    found: Kernel = import_module(f"{PACKAGE}.jax._{op}")._KERNEL
    return found


@dataclass(frozen=True, eq=False)
class Kernel:
    """The kernel of one op. `core` describes the op.

    `fallback` is the reference function, if it may run in place of a missing kernel.
    """

    core: CoreOp
    fallback: Callable[..., Any] | None = None

    def __post_init__(self) -> None:
        register(self.core.name, self.facts.platforms)

    @property
    def facts(self) -> OpFacts:
        return self.core.facts

    @functools.cached_property
    def arguments(self) -> tuple[str, ...]:
        """Return the names of the inputs."""
        return tuple(each.name for each in self.facts.inputs)

    @functools.cached_property
    def options(self) -> tuple[str, ...]:
        """Return the names of the attrs."""
        return tuple(self.facts.attrs)

    @functools.cached_property
    def results(self) -> tuple[str, ...]:
        """Return the names of the outputs, including residuals."""
        return tuple(each.name for each in self.facts.results)

    @functools.cached_property
    def attrs(self) -> Mapping[str, Callable[[Any], Any]]:
        """Return the functions that convert attrs to typed attributes of XLA's custom call."""
        return {n: attribute(kind.removesuffix("?")) for n, kind in self.facts.attrs.items()}

    @functools.cached_property
    def on_request(self) -> tuple[str, ...]:
        """Return the results that the op computes only on request."""
        return self.facts.on_request

    @functools.cached_property
    def updates(self) -> tuple[int, ...]:
        """Return the positions of written inputs, whose new values follow the results."""
        return tuple(n for n, each in enumerate(self.facts.inputs) if each.updated)

    @functools.cached_property
    def wide(self) -> tuple[str | None, ...]:
        """Return the 64-bit integer type of each input that requires one."""
        return tuple(each.wide for each in self.facts.inputs)

    @functools.cached_property
    def stages(self) -> Mapping[str, tuple[Kernel, ...]]:
        """Return, for some dims, the kernels that together can compute the op if the dim is split.

        The op's own kernel cannot run if these dims are split.
        """
        return {dim: tuple(map(kernel_of, ops)) for dim, ops in self.facts.stages.items()}

    @property
    def binding(self) -> Callable[..., Any]:
        """Return the function that checks a call and returns its `Launch`."""
        assert self.core.bind is not None
        return self.core.bind

    def given(self, inputs: Sequence[Any], attrs: Mapping[str, Any]) -> dict[str, Any]:
        """Return a call's arguments by name, tensors as `TensorSpec`s. The functions in `facts`
        take these `TensorSpec`s.
        """
        return {**dict(zip(self.arguments, self._specs(inputs))), **attrs}

    def infer(
        self, inputs: Sequence[Any], attrs: Mapping[str, Any], wanted: Collection[str] = ()
    ) -> Any:
        """Check a call and return the `TensorSpec` of each output, in the spec's dtypes.

        Among the outputs on request, only the `wanted` ones are present. Raises TypeError for a
        wrong dtype, rank or kind, and ValueError for a wrong size or value.
        """
        options = {"wanted": wanted} if self.on_request else {}
        try:
            results = self.core.infer(*self._specs(inputs), **attrs, **options)
        except ZeroDivisionError as error:  # `d**-0.5` where d is 0
            raise ValueError(f"{self.core.name}: {error}") from None
        check_memory(self.core.name, results)
        return results

    def bind(self, inputs: Sequence[Any], attrs: Mapping[str, Any], **options: Any) -> Any:
        """Check a call like `infer`, and return its `Launch`.

        `options` are additional arguments of the rendered `bind` that `infer` does not have.
        """
        return self.binding(*self._specs(inputs), **attrs, **self._facts(), **options)

    def differentiable(self, case: str, /, *inputs: Any, **attrs: Any) -> None:
        """Raise ValueError if a call violates the `grad.require` of this case of the gradient."""
        for text in self.bind(inputs, attrs).unmet(case):
            raise ValueError(f"{self.core.name}: requires {text}")

    def unmet(
        self,
        platform: str,
        inputs: Sequence[Any],
        attrs: Mapping[str, Any],
        wanted: Sequence[str] = (),
    ) -> list[str]:
        """Return the requirements of the kernel for `platform` that this call does not meet."""
        pairs = zip(self.facts.inputs, inputs)
        read = (each.name for each, value in pairs if each.host and value is not None)
        away = [] if platform == "cpu" else [f"`{name}` on the host" for name in read]
        only = _kernels.forced(self.core.name)
        if only == _kernels.REFERENCE:
            return [f"that `{only}` is not forced"]
        if away or only is not None or not self.facts.demanding:
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
            return []  # the sizes are symbolic, so the call chooses a kernel at run time
        if not all(lacking) or not _kernels.reference_serves(self.core.name, platform):
            return []  # if no kernel has the required guarantees, the call raises the error
        return [" or ".join(" and ".join(texts) for texts in lacking)]

    def launch(
        self,
        platform: str,
        inputs: Sequence[Any],
        attrs: Mapping[str, Any],
        wanted: Sequence[str] = (),
    ) -> Any:
        """Return the `Launch` of a call, to choose and run a kernel for `platform`."""
        facts = {name: device_facts(platform).get(name) for name in self.facts.device}
        options = {"wanted": wanted} if self.on_request else {}
        return self.binding(*self._specs(inputs), **attrs, **facts, **options)

    def complete(self, inputs: Sequence[Any], attrs: Mapping[str, Any]) -> dict[str, Any]:
        """Return a call's attrs, including defaults that depend on sizes."""
        return self.core.complete(*self._specs(inputs), **attrs, **self._facts())

    def _facts(self) -> dict[str, int | None]:
        """Return the properties of the device, such as `arch`, on which sizes depend."""
        if not self.core.sized_by:
            return {}
        known = default_facts()
        return {name: known.get(name) for name in self.core.sized_by}

    def _specs(self, inputs: Sequence[Any]) -> Iterator[Any]:
        return map(spec_of, inputs, self.wide)
