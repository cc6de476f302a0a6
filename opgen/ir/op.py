"""An op in the IR, the input of every target."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any, Literal

from opgen.ir.nodes import (
    Attr,
    BackwardCall,
    Bundle,
    Descriptor,
    DTypeVar,
    Field,
    Gradient,
    Kernel,
    Requirement,
    Tensor,
)
from opgen.ir.shape_inference import Plan, plan
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Expr, names_in, presence_in, substitute
from opgen.language.python_functions import SizeFunction
from opgen.source.cached import cached_property
from opgen.source.frozen import dataclass
from opgen.spec.cases import Cases
from opgen.spec.models.ops import About
from opgen.spec.models.reading import Options
from opgen.spec.models.rules import GuaranteesSpec


@dataclass(frozen=True, kw_only=True)
class Op(About):
    """One op of a project, with all data that targets need to render the op."""

    # The name of the spec file, without the suffix (`family`) and with the suffix (`spec`).
    family: str
    spec: str
    # The dtype variables that tensors and attrs use, directly or through other variables.
    dtypes: tuple[DTypeVar, ...]
    # The other variables, which are derived from `dtypes`.
    derived_dtypes: tuple[DTypeVar, ...]
    # The inputs, which are the positional arguments.
    inputs: tuple[Tensor, ...]
    # The keyword arguments. Sizes that functions compute come first.
    attrs: tuple[Attr, ...]
    # The sizes that expressions derive from other sizes, by name.
    dims: tuple[tuple[str, Expr], ...]
    # The results that the caller receives.
    outputs: tuple[Tensor, ...]
    # The values that the kernel saves for the backward.
    residuals: tuple[Tensor, ...]
    # The scratch memory that the kernel needs.
    workspace: tuple[Tensor, ...]
    # The conditions that every call must meet.
    require: tuple[Requirement, ...]
    # The gradient of the op.
    grad: Cases[Gradient]
    # The dims and groups that may be split over devices.
    split: Cases[tuple[str, ...]]
    # For a split dim, the ops that together replace this op.
    stages: tuple[tuple[str, tuple[str, ...]], ...]
    # The updated input of an elementwise update. Inputs of the same shape are split like it.
    follow: str | None
    # The guarantees that all CPU kernels of the op give.
    guarantees: GuaranteesSpec
    # The way in which `vmap` computes a batch of calls, such as "fold" or "loop".
    vmap: Literal["fold", "loop", "none"]
    # The dtype to which PyTorch's autocast casts floating inputs.
    autocast: Literal["lower", "f32"] | None
    # The written kernels, by platform, in order of preference.
    kernels: tuple[Kernel, ...]
    # The kernels that are not written yet.
    awaited: tuple[Kernel, ...]
    # True if the reference replaces a missing kernel.
    fallback: bool
    # The struct with the sizes and options for kernels.
    descriptor: Descriptor
    # The costs of a call, such as its floating-point operations, by quantity.
    cost: tuple[tuple[str, Expr], ...]
    # Calls for tests and benchmarks.
    samples: tuple[Mapping[str, Any], ...]
    # The bundles: tensors that are passed as one value.
    bundles: tuple[Bundle, ...]
    # The op's keys in the tables of targets, by target.
    options: Mapping[str, Options] = field(hash=False)

    @cached_property
    def plan(self) -> Plan:
        """Return the plan of shape inference: the steps that bind the sizes of a call."""
        return plan(self)

    @cached_property
    def arguments(self) -> tuple[Tensor | Attr, ...]:
        """Return the arguments of a call: its inputs, then its attrs."""
        return (*self.inputs, *self.attrs)

    @cached_property
    def decided(self) -> tuple[str, ...]:
        """Return the names that are known before sizes: dtypes, and which tensors are present."""
        return (*(var.name for var in self.dtypes), *(t.name for t in self.tensors))

    @property
    def options_given(self) -> tuple[Attr, ...]:
        """Return the attrs that a caller may set."""
        return tuple(attr for attr in self.attrs if attr.computed is None)

    @property
    def computed(self) -> Mapping[str, SizeFunction]:
        """Return the attrs that opgen computes with a function. Callers cannot set these attrs.
        They precede all other attrs.
        """
        return {attr.name: attr.computed for attr in self.attrs if attr.computed is not None}

    @cached_property
    def may_be_complex(self) -> bool:
        """Return whether some tensor of the op may be complex in some call."""
        names = {name for tensor in self.tensors for name in tensor.dtype.values()}
        choices = [*(v.choices for v in self.dtypes if v.free)]
        choices += [a.choices or tuple(DTYPES) for a in self.attrs if a.name in names]
        every = names.union(*choices) & DTYPES.keys()
        return any(DTYPES[name].kind == "complex" for name in every)

    @cached_property
    def results(self) -> tuple[Tensor, ...]:
        """Return the results that a caller receives: the outputs, then the updated inputs."""
        return self.outputs + self.updated

    @cached_property
    def updated(self) -> tuple[Tensor, ...]:
        """Return the inputs that the kernel writes in place, at least in some calls."""
        return tuple(t for t in self.inputs if t.update)

    @property
    def backward_calls(self) -> tuple[BackwardCall, ...]:
        """Return the calls of backward ops in all cases of the op's gradient."""
        return tuple(call for grad in self.grad.values() for call in grad.calls)

    @cached_property
    def written(self) -> tuple[Tensor, ...]:
        """Return the outputs and residuals, which a framework allocates and the kernel computes."""
        return self.outputs + self.residuals

    @cached_property
    def on_request(self) -> tuple[Tensor, ...]:
        """Return the outputs and residuals that are computed only if the caller requests them."""
        return tuple(t for t in self.written if t.optional)

    @cached_property
    def outputs_on_request(self) -> tuple[Tensor, ...]:
        return tuple(t for t in self.outputs if t.optional)

    @cached_property
    def splittable(self) -> frozenset[str]:
        """Return the dims and groups that the spec allows to be split in at least some calls."""
        return frozenset(name for names in self.split.values() for name in names)

    def asked_by(self, tensor: Tensor) -> tuple[str, ...]:
        """Return the results on request that the presence of `tensor` depends on."""
        asked = () if tensor.when is None else presence_in(tensor.when)
        return tuple(t.name for t in self.on_request if t.name in asked)

    @cached_property
    def tensors(self) -> tuple[Tensor, ...]:
        """Return all tensors, in the order of a kernel's argument struct."""
        return self.outputs + self.residuals + self.workspace + self.inputs

    def tensor(self, name: str) -> Tensor:
        return next(t for t in self.tensors if t.name == name)

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the op's name and all names in its spec that callers and kernels may use."""
        every: tuple[Tensor | Attr | DTypeVar | Field, ...]
        every = (*self.tensors, *self.attrs, *self.dtypes, *self.descriptor.fields)
        sizes = {name for t in self.tensors for shape in t.shapes for name in shape.names}
        lists = {t.list for t in self.tensors if t.list}
        named = {each.name for each in every} | {name for name, _ in self.dims}
        cotangents = {f"d{t.name}" for t in self.tensors}
        bundles = {bundle.name for bundle in self.bundles}
        return frozenset(named | sizes | lists | cotangents | bundles | {self.name})

    def values_in(self, condition: Expr) -> list[str]:
        """Return the names in `condition` whose values an error message must show.

        Names of dtypes and tensors are left out.
        """
        hidden = {*DTYPES, *(tensor.name for tensor in self.tensors)}
        return [name for name in names_in(condition) if name not in hidden]

    @cached_property
    def asking(self) -> Mapping[str, Expr]:
        """Return the dtype variables that depend on attrs or on the presence of tensors. Each is
        mapped to its expression, in which other derived variables are expanded.
        """
        variables = {var.name for var in self.dtypes}
        derived = {var.name: var.expr for var in self.dtypes if not var.free}
        whole = {name: substitute(expr, derived) for name, expr in derived.items()}
        known = {*variables, *DTYPES}
        return {name: expr for name, expr in whole.items() if not known.issuperset(names_in(expr))}

    def bundled(self, tensors: Iterable[Tensor]) -> tuple[Tensor | Bundle, ...]:
        """Return inputs or outputs as callers pass them: each bundle replaces its tensors."""
        of = {tensor: bundle for bundle in self.bundles for tensor in bundle.tensors}
        seen: dict[str, Tensor | Bundle] = {}
        for tensor in tensors:
            each = of.get(tensor.name, tensor)
            seen.setdefault(each.name, each)
        return tuple(seen.values())

    def dtype_var(self, name: str) -> DTypeVar | None:
        return next((d for d in self.dtypes if d.name == name), None)

    def kernel(self, platform: str) -> Kernel | None:
        """Return the first kernel for a platform; None if there is none."""
        return next(iter(self.kernels_for(platform)), None)

    def kernels_for(self, platform: str) -> tuple[Kernel, ...]:
        """Return the op's kernels for a platform, in order of preference."""
        return tuple(k for k in self.kernels if k.platform == platform)

    @cached_property
    def platforms(self) -> tuple[str, ...]:
        """Return the platforms of the op's kernels."""
        return tuple(dict.fromkeys(k.platform for k in self.kernels))

    @cached_property
    def listed(self) -> bool:
        """Return whether the op has several kernels on some platform, or a kernel with a name or
        guarantees.
        """
        return any(k.listed for k in self.kernels)

    @property
    def tuned(self) -> bool:
        """Return whether some kernel has values that are tuned for a device."""
        return any(k.tune is not None for k in self.kernels)

    def takes_all(self, platform: str) -> bool:
        """Return whether every call on the platform is accepted by at least one kernel."""
        return any(not k.demanding for k in self.kernels_for(platform))
