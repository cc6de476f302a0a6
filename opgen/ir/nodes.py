"""The IR: what every target reads. Frozen, normalised, nothing left to guess.

Templates are merged, names resolved, defaults filled in; every expression is parsed
(`opgen.language.expr`), every gradient paired, every descriptor laid out, every dispatch table
enumerated. `resolve.py` makes it from specs that passed `lint/`, so that targets need no
checks of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from opgen.ir.shape_inference import Plan, plan
from opgen.ir.triton import TritonKernel
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Expr, IfElse, Name, names_in, presence_in, substitute
from opgen.language.functions import SizeFunction
from opgen.language.shapes import Shape
from opgen.spec.cases import Cases, fixed
from opgen.spec.extensions import platforms
from opgen.spec.op import Excuse, GuaranteesSpec, Options

Role = Literal["input", "output", "residual", "workspace"]
Source = Literal[
    "cotangent",
    "input",
    "output",
    "residual",
    "attr",
    "dim",
    "group",
    "dtype",
    "expr",
    "absent",
]


@dataclass(frozen=True, slots=True)
class DTypeVar:
    """A dtype variable: free (`choices`, in file order) or derived (`value`)."""

    name: str
    choices: tuple[str, ...] = ()
    value: Cases[Expr] = Cases()

    @property
    def free(self) -> bool:
        return not self.value

    @property
    def expr(self) -> Expr:
        """It as one expression; where no case holds and there is no `else`, the last."""
        if self.free:
            return Name(self.name)
        *rest, (_, found) = self.value.cases
        for condition, value in reversed(rest):
            found = IfElse(condition, value, found)
        return found


@dataclass(frozen=True, slots=True)
class Tensor:
    """One tensor of an op.

    `dtype` names a literal dtype, a dtype variable or a dtype attr; `floating` says whether
    some call has it in a floating dtype. `forms` holds the shapes it may have; more than one
    for an input whose form depends on rank.
    """

    name: str
    role: Role
    dtype: Cases[str]
    forms: Cases[tuple[Shape, ...]]
    doc: str = ""
    optional: bool = False
    when: Expr | None = None
    update: Cases[bool] | bool = False
    init: Expr | None = None
    list: str | None = None
    layout: Cases[str] = fixed("contiguous")
    pitch: Expr | None = None
    align: int | None = None
    values: Cases[Expr] = Cases()
    differentiable: bool = True
    floating: bool = True
    reduce: tuple[tuple[str, Cases[str]], ...] = ()
    length: str | None = None
    begin: str | None = None
    device: Literal["cpu"] | None = None
    seed: bool = False

    @property
    def shape(self) -> Shape:
        """The shape of a tensor that has one form only."""
        (shape,) = self.forms.only
        return shape

    @property
    def always(self) -> bool:
        """Whether every call has it."""
        return not self.optional and self.when is None

    @property
    def given(self) -> bool:
        """Whether a caller may not leave it out."""
        return self.always and not self.seed


@dataclass(frozen=True, slots=True)
class Bundle:
    """Inputs, or outputs, that travel as one of the bundle `kind`.

    `members` has the tensor of each member, None of one that it lacks; of `fields` each is a
    member, what it holds, and whether it may be left out.
    """

    name: str
    role: Role
    kind: str
    members: tuple[tuple[str, str | None], ...]
    fields: tuple[tuple[str, str, bool], ...]
    always: bool

    @property
    def tensors(self) -> tuple[str, ...]:
        return tuple(tensor for _, tensor in self.members if tensor is not None)


@dataclass(frozen=True, slots=True)
class Attr:
    """A keyword-only option. `default` is a Python value, an `Expr`, or `REQUIRED`.

    One that is `computed` is no option of the caller's: the wrappers compute it, and pass it on.
    """

    name: str
    type: str
    default: object
    choices: tuple[Any, ...] = ()
    min: float | None = None
    max: float | None = None
    optional: bool = False
    tuning: bool = False
    doc: str = ""
    computed: SizeFunction | None = None

    @property
    def required(self) -> bool:
        return self.default is REQUIRED


class _Required:
    """There is one, also where it was pickled."""

    def __repr__(self) -> str:
        return "REQUIRED"

    __reduce__ = __repr__


REQUIRED = _Required()


@dataclass(frozen=True, slots=True)
class Requirement:
    """A condition on a call, and what to say when it fails (None: the condition itself).

    With `each`, the length of a list, it is about each tensor of the list, number `i`.
    """

    condition: Expr
    message: str | None = None
    each: str | None = None


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a backward and where the forward gets it from.

    `of` names the thing of the forward that `source` is, but `expr` gives an expression;
    absent: it is left out, or has its default.
    """

    name: str
    source: Source
    of: str = ""
    expr: Expr | None = None


@dataclass(frozen=True, slots=True)
class BackwardCall:
    """A call of op `op` in a gradient.

    `arguments` follow the called op's inputs, `attrs` its attributes, both in its file
    order; `gradients` maps inputs of the forward to results of the call.
    """

    op: str
    arguments: tuple[Argument, ...]
    attrs: tuple[Argument, ...]
    gradients: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Gradient:
    """How an op is differentiated: not at all, through its reference, or by rules.

    `shapes` are those that tensors have in this case, which in other calls have others.
    """

    kind: Literal["none", "reference", "rules"]
    calls: tuple[BackwardCall, ...] = ()
    formulas: tuple[tuple[str, Expr], ...] = ()
    require: tuple[Requirement, ...] = ()
    shapes: tuple[tuple[str, Shape], ...] = ()

    def formula(self, name: str) -> Expr | None:
        return dict(self.formulas).get(name)

    def shape(self, tensor: Tensor) -> Shape:
        """The shape of a tensor that a formula aligns with others."""
        return dict(self.shapes).get(tensor.name) or tensor.shape


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel of one platform.

    `symbol` is the hand-written function, or one for each case. `dispatch` names the dtype variables that become
    its template parameters, `rows` the combinations to instantiate, one dtype for each
    variable; without variables the kernel is a plain C function. `sources` are paths
    below the project's kernel folder; a kernel that is not compiled from sources has
    what names it, `named`. `options` are what its platform's kernels have alone.
    `listed`: the op has a list of kernels, and calls choose among those for their platform.
    One in Triton takes the calls on devices that it was compiled for.
    """

    platform: str
    symbol: Cases[str]
    name: str
    listed: bool = False
    sources: tuple[str, ...] = ()
    dispatch: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ((),)
    grid: tuple[Expr, ...] = ()
    block: tuple[Expr, ...] = ()
    index: Literal["i32", "i64"] = "i64"
    workspace: str | None = None
    require: tuple[Requirement, ...] = ()
    library: str | None = None
    call: str | None = None
    named: str | None = None
    triton: TritonKernel | None = None
    options: Options = field(default_factory=Options, hash=False)

    @property
    def native(self) -> bool:
        """Whether it runs in the process that calls it, through the kernels' library."""
        return platforms()[self.platform].native

    @property
    def demanding(self) -> bool:
        """Whether there are calls that it does not take."""
        return bool(self.require) or self.index == "i32" or self.triton is not None


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a descriptor: C type, value, and its offset."""

    name: str
    type: str
    value: Expr
    offset: int
    size: int
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Descriptor:
    """The C struct that tells a kernel sizes and options; `explicit` if the spec lists it."""

    fields: tuple[Field, ...]
    size: int
    align: int
    explicit: bool


@dataclass(frozen=True)
class Op:
    """One op, whole.

    `awaited` kernels are not written yet. All inputs of its shape are placed as `follow`.
    `stages` names, for a dim, the ops that compute it together where that dim is split.
    """

    name: str
    family: str
    doc: str
    version: int
    deprecated: str | None
    tags: tuple[str, ...]
    replaces: tuple[str, ...]
    spec: str
    reference: str | None
    dtypes: tuple[DTypeVar, ...]
    inputs: tuple[Tensor, ...]
    attrs: tuple[Attr, ...]
    dims: tuple[tuple[str, Expr], ...]
    outputs: tuple[Tensor, ...]
    residuals: tuple[Tensor, ...]
    workspace: tuple[Tensor, ...]
    require: tuple[Requirement, ...]
    grad: Cases[Gradient]
    split: Cases[tuple[str, ...]]
    units: tuple[tuple[str, int], ...]
    stages: tuple[tuple[str, tuple[str, ...]], ...]
    follow: str | None
    excuses: tuple[Excuse, ...]
    guarantees: GuaranteesSpec
    vmap: Literal["fold", "loop", "none"]
    autocast: Literal["lower", "f32"] | None
    kernels: tuple[Kernel, ...]
    awaited: tuple[Kernel, ...]
    fallback: bool
    descriptor: Descriptor
    cost: tuple[tuple[str, Expr], ...]
    samples: tuple[Mapping[str, Any], ...]
    bundles: tuple[Bundle, ...]
    options: Mapping[str, Options] = field(hash=False)

    @cached_property
    def plan(self) -> Plan:
        """The steps that bind the sizes of a call."""
        return plan(self)

    @property
    def arguments(self) -> tuple[Tensor | Attr, ...]:
        """What a call is given: its inputs, then its attrs."""
        return (*self.inputs, *self.attrs)

    @property
    def decided(self) -> tuple[str, ...]:
        """What is decided before sizes are learnt: dtypes, and which tensors are there."""
        return (*(var.name for var in self.dtypes), *(t.name for t in self.tensors))

    @property
    def options_given(self) -> tuple[Attr, ...]:
        """The attrs that a caller gives."""
        return tuple(attr for attr in self.attrs if attr.computed is None)

    @property
    def computed(self) -> Mapping[str, SizeFunction]:
        """The functions of the attrs that are no option of the caller's, in front of the others."""
        return {attr.name: attr.computed for attr in self.attrs if attr.computed is not None}

    @cached_property
    def may_be_complex(self) -> bool:
        """Whether some tensor of it is complex in some call."""
        names = {name for tensor in self.tensors for name in tensor.dtype.values()}
        choices = [*(v.choices for v in self.dtypes if v.free)]
        choices += [a.choices or tuple(DTYPES) for a in self.attrs if a.name in names]
        every = names.union(*choices) & DTYPES.keys()
        return any(DTYPES[name].kind == "complex" for name in every)

    @property
    def results(self) -> tuple[Tensor, ...]:
        """What the caller gets: the outputs, then the updated inputs."""
        return self.outputs + self.updated

    @cached_property
    def updated(self) -> tuple[Tensor, ...]:
        """The inputs that the kernel writes in place, in some calls at least."""
        return tuple(t for t in self.inputs if t.update)

    @property
    def backward_calls(self) -> tuple[BackwardCall, ...]:
        """The calls of all cases of its gradient."""
        return tuple(call for grad in self.grad.values() for call in grad.calls)

    @property
    def written(self) -> tuple[Tensor, ...]:
        """What the kernel computes anew and a framework allocates: outputs, residuals."""
        return self.outputs + self.residuals

    @property
    def on_request(self) -> tuple[Tensor, ...]:
        """Of `written`, what is computed only where it is asked for."""
        return tuple(t for t in self.written if t.optional)

    @property
    def outputs_on_request(self) -> tuple[Tensor, ...]:
        return tuple(t for t in self.outputs if t.optional)

    @cached_property
    def splittable(self) -> frozenset[str]:
        """The dims that the op itself lets be split, in some case."""
        return frozenset(name for names in self.split.values() for name in names)

    def asked_by(self, tensor: Tensor) -> tuple[str, ...]:
        """The results on request for which alone an input is there."""
        asked = () if tensor.when is None else presence_in(tensor.when)
        return tuple(t.name for t in self.on_request if t.name in asked)

    @cached_property
    def tensors(self) -> tuple[Tensor, ...]:
        """All tensors, in the order of a kernel's argument struct."""
        return self.outputs + self.residuals + self.workspace + self.inputs

    def tensor(self, name: str) -> Tensor:
        return next(t for t in self.tensors if t.name == name)

    @cached_property
    def names(self) -> frozenset[str]:
        """All that the spec names in this op, and the op: what callers and kernels know by name."""
        every: tuple[Tensor | Attr | DTypeVar | Field, ...]
        every = (*self.tensors, *self.attrs, *self.dtypes, *self.descriptor.fields)
        forms = (each for t in self.tensors for each in t.forms.values())
        sizes = {name for form in forms for shape in form for name in shape.names}
        lists = {t.list for t in self.tensors if t.list}
        named = {each.name for each in every} | {name for name, _ in self.dims}
        cotangents = {f"d{t.name}" for t in self.tensors}
        bundles = {bundle.name for bundle in self.bundles}
        return frozenset(named | sizes | lists | cotangents | bundles | {self.name})

    def values_in(self, condition: Expr) -> list[str]:
        """The names in `condition` whose value an error shows: no dtypes and no tensors."""
        hidden = {*DTYPES, *(tensor.name for tensor in self.tensors)}
        return [name for name in names_in(condition) if name not in hidden]

    @cached_property
    def asking(self) -> Mapping[str, Expr]:
        """The dtype variables that attrs or presence decide, written out over free ones."""
        variables = {var.name for var in self.dtypes}
        derived = {var.name: var.expr for var in self.dtypes if not var.free}
        whole = {name: substitute(expr, derived) for name, expr in derived.items()}
        known = {*variables, *DTYPES}
        return {name: expr for name, expr in whole.items() if not known.issuperset(names_in(expr))}

    def bundled(self, tensors: Iterable[Tensor]) -> tuple[Tensor | Bundle, ...]:
        """Inputs or outputs as callers see them: those of a bundle as one."""
        of = {tensor: bundle for bundle in self.bundles for tensor in bundle.tensors}
        seen: dict[str, Tensor | Bundle] = {}
        for tensor in tensors:
            each = of.get(tensor.name, tensor)
            seen.setdefault(each.name, each)
        return tuple(seen.values())

    def dtype_var(self, name: str) -> DTypeVar | None:
        return next((d for d in self.dtypes if d.name == name), None)

    def kernel(self, platform: str) -> Kernel | None:
        """Its kernel for a platform; of a list the first."""
        return next(iter(self.kernels_for(platform)), None)

    def kernels_for(self, platform: str) -> tuple[Kernel, ...]:
        """Its kernels for a platform, in order of preference."""
        return tuple(k for k in self.kernels if k.platform == platform)

    @cached_property
    def platforms(self) -> tuple[str, ...]:
        """Those that it has kernels for."""
        return tuple(dict.fromkeys(k.platform for k in self.kernels))

    @cached_property
    def listed(self) -> bool:
        """Whether calls choose among kernels, on some platform."""
        return any(k.listed for k in self.kernels)

    def takes_all(self, platform: str) -> bool:
        """Whether there is no call that all its kernels for the platform refuse."""
        return any(not k.demanding for k in self.kernels_for(platform))
