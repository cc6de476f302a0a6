"""The parts of an op in the IR, as frozen objects.

`resolve.py` creates them from specs that passed `lint/`, so that targets need no further checks.
Templates are merged, names resolved, and defaults filled in. Every expression is parsed
(`opgen.language.expr`), every gradient is paired with its forward, and every descriptor and
dispatch table is complete.
"""

from __future__ import annotations

from typing import Any, Literal

from opgen.ir.code import Code
from opgen.ir.tune import Tune
from opgen.language.expr import Call, Expr, IfElse, Name, Unary, presence_in
from opgen.language.functions import SizeFunction
from opgen.language.shapes import Shape
from opgen.source.frozen import dataclass
from opgen.spec.cases import Cases
from opgen.spec.extensions import platforms
from opgen.spec.models import reading
from opgen.spec.models.attrs import AttrSpec
from opgen.spec.models.kernels import KernelKeys
from opgen.spec.models.rules import GuaranteesSpec
from opgen.spec.models.tensors import TensorKeys
from opgen.spec.tables import TENSOR_TABLES

Role = Literal["input", "output", "residual", "workspace"]
ROLES: dict[str, Role] = dict(zip(TENSOR_TABLES, ("input", "output", "residual", "workspace")))
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
        """Return the value as one expression.

        If no case holds and there is no `else`, the last case applies.
        """
        if self.free:
            return Name(self.name)
        *rest, (_, found) = self.value.cases
        for condition, value in reversed(rest):
            found = IfElse(condition, value, found)
        return found


@dataclass(frozen=True, slots=True)
class Tensor(TensorKeys[Expr, Shape]):
    """One tensor of an op.

    `dtype` names a literal dtype, a dtype variable or a dtype attr. `forms` holds its possible
    shapes. An input whose form depends on rank has several.
    """

    # True if the tensor has a floating dtype in some call.
    floating: bool = True

    @property
    def role(self) -> Role:
        return ROLES[self.table]

    @property
    def update(self) -> Cases[bool] | bool:
        """Return whether an input is written: always, never, or by cases."""
        if self.updates.plain:
            return self.updates.only
        values = {*self.updates.values()}
        if self.updates.cases[-1][0] is not None:
            values.add(False)
        return self.updates if len(values) > 1 else values.pop()

    @property
    def shape(self) -> Shape:
        """Return the shape of a tensor that has only one form."""
        (shape,) = self.forms.only
        return shape

    @property
    def given(self) -> bool:
        """Return whether a caller must pass the tensor."""
        return self.always and not self.seed


@dataclass(frozen=True, slots=True)
class Bundle:
    """Inputs, or outputs, that are passed as one value of the bundle `kind`.

    `members` has the tensor of each member, or None for a missing member. Each entry of `fields`
    describes a member: its name, its contents, and whether it may be missing.
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
class Attr(AttrSpec):
    """A keyword-only option. `default` is a Python value, an `Expr`, or `REQUIRED`."""

    choices: tuple[Any, ...] = ()
    # The function with which wrappers compute the attr. Callers cannot set such an attr.
    computed: SizeFunction | None = None

    @property
    def required(self) -> bool:
        return self.default is REQUIRED


class _Required:
    """The class of `REQUIRED`, its only object. Unpickling returns the same object."""

    def __repr__(self) -> str:
        return "REQUIRED"

    __reduce__ = __repr__


REQUIRED = _Required()


Requirement = reading.Requirement[Expr]


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a backward and its source in the forward.

    `source` is the kind of value, and `of` the name of the value in the forward. If `expr` is set,
    the argument is this expression. An absent argument is not passed, or has its default.
    """

    name: str
    source: Source
    of: str = ""
    expr: Expr | None = None


@dataclass(frozen=True, slots=True)
class BackwardCall:
    """A call of the backward `op`, as a part of a gradient.

    `arguments` are in the order of the called op's inputs, and `attrs` in the order of its attrs.
    `gradients` maps inputs of the forward to results of the call.
    """

    op: str
    arguments: tuple[Argument, ...]
    attrs: tuple[Argument, ...]
    gradients: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Gradient:
    """The gradient of an op: none, its reference, or rules.

    `shapes` has the shapes, in this case, of the tensors whose shape varies between calls.
    """

    kind: Literal["none", "reference", "rules"]
    calls: tuple[BackwardCall, ...] = ()
    formulas: tuple[tuple[str, Expr], ...] = ()
    require: tuple[Requirement, ...] = ()
    shapes: tuple[tuple[str, Shape], ...] = ()

    @property
    def absent(self) -> frozenset[str]:
        """Return the inputs that must be absent according to `require`."""
        refused = [r.condition.operand for r in self.require if isinstance(r.condition, Unary)]
        return frozenset(name for e in refused if isinstance(e, Call) for name in presence_in(e))

    def formula(self, name: str) -> Expr | None:
        return dict(self.formulas).get(name)

    def shape(self, tensor: Tensor) -> Shape:
        """Return the shape of a tensor in this case of the gradient."""
        return dict(self.shapes).get(tensor.name) or tensor.shape


@dataclass(frozen=True, slots=True)
class Kernel(KernelKeys[Expr]):
    """A kernel of one platform.

    `symbol` is the hand-written function, or one function for each case. `dispatch` names the dtype
    variables that are template parameters. Without them the kernel is a plain C function. `sources`
    are paths in the project's kernel folder.
    """

    name: str = ""
    sources: tuple[str, ...] = ()
    grid: tuple[Expr, ...] = ()
    block: tuple[Expr, ...] = ()
    dispatch: tuple[str, ...] = ()
    # The combinations to instantiate, with one dtype for each variable of `dispatch`.
    rows: tuple[tuple[str, ...], ...] = ((),)
    # Its code, if its kind produces code.
    code: Code | None = None
    # The values that are tuned for a device.
    tune: Tune | None = None
    # Its guarantees.
    guarantees: GuaranteesSpec = GuaranteesSpec()

    @property
    def native(self) -> bool:
        """Return whether the kernel is in the kernel library, so that C++ calls it in the same
        process.
        """
        return platforms()[self.platform].native

    @property
    def file(self) -> str | None:
        """Return the Python file of the kernel, in the kernels folder."""
        file = (self.named or "").rpartition(":")[0]
        return file if file.endswith(".py") else None

    @property
    def demanding(self) -> bool:
        """Return whether the kernel rejects some calls."""
        return bool(self.require) or self.index == "i32" or self.compiled

    @property
    def compiled(self) -> bool:
        """Return whether the kernel is compiled for certain devices, and accepts only calls on
        them.
        """
        return self.code is not None and self.code.compiled


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
    """The C struct that passes sizes and options to a kernel; `explicit` if the spec lists it."""

    fields: tuple[Field, ...]
    size: int
    align: int
    explicit: bool
