"""The parts of an op in the IR, as frozen objects.

`resolve.py` creates them from specs that passed `lint/`, so that targets need no further checks.
Templates are merged, names resolved, and defaults filled in. Every expression is parsed
(`opgen.language.expr`), every gradient is paired with its forward, and every descriptor and
dispatch table is complete.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from opgen.ir.tune import Tune
from opgen.language.expr import Call, Expr, IfElse, Name, Unary, presence_in
from opgen.language.python_functions import SizeFunction
from opgen.language.shapes import Shape
from opgen.source.cached import cached_property
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A function in a file of the kernels folder. Each kind of kernel, such as Triton, has a
    subclass with more fields.
    """

    # True if the code was compiled for certain devices, and only accepts calls on these devices.
    compiled: ClassVar[bool] = False

    file: str
    function: str
    # The launch grid, if the rendered C function (the entry) must compute it, else empty.
    grid: tuple[Expr, ...] = ()
    # The dims and groups that are divided among programs, each with the block size of a program.
    blocks: tuple[tuple[str, Expr], ...] = ()

    @property
    def kept(self) -> Mapping[str, object]:
        """Return the fields of `Kernel` that this code overrides, with their new values."""
        return {}


@dataclass(frozen=True, slots=True)
class DTypeVar:
    """A dtype variable. A free variable can be any dtype of `choices` (in file order). `value`
    computes a derived variable.
    """

    name: str
    choices: tuple[str, ...] = ()
    value: Cases[Expr] = Cases()

    @property
    def free(self) -> bool:
        return not self.value

    @property
    def expr(self) -> Expr:
        """Return the variable's value as one expression.

        If no condition of a case holds and there is no `else`, the last case applies.
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

    `dtype` names a literal dtype, a dtype variable or a dtype attr. `forms` holds the tensor's
    possible shapes. If the spec lists shapes of different ranks for an input, `forms` has one shape
    for each rank.
    """

    # True if the tensor has a floating dtype in some call.
    floating: bool = True

    @property
    def role(self) -> Role:
        return ROLES[self.table]

    @cached_property
    def update(self) -> Cases[bool] | bool:
        """Return whether the op writes an input: True, False, or cases that depend on the call."""
        if self.updates.plain:
            return self.updates.only
        values = {*self.updates.values()}
        if self.updates.cases[-1][0] is not None:
            values.add(False)
        return self.updates if len(values) > 1 else values.pop()

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """Return all shapes that the tensor may have: for each case and each rank."""
        return tuple(shape for forms in self.forms.values() for shape in forms)

    @property
    def shape(self) -> Shape:
        """Return the shape of a tensor that has only one possible shape."""
        (shape,) = self.forms.only
        return shape

    @property
    def given(self) -> bool:
        """Return whether a caller must pass the tensor."""
        return self.always and not self.seed


@dataclass(frozen=True, slots=True)
class Bundle:
    """Inputs or outputs that callers pass as one value. `kind` names the bundle in the spec.

    `members` pairs each member's name with its tensor, or with None for a missing member. Each
    entry of `fields` describes a member: its name, its contents, and whether it may be missing.
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
    """A keyword-only option of an op. `default` is a Python value, an `Expr`, or `REQUIRED`."""

    choices: tuple[Any, ...] = ()
    # The function that computes the attr, if it is a computed size. Callers cannot set such an
    # attr.
    computed: SizeFunction | None = None

    @property
    def required(self) -> bool:
        return self.default is REQUIRED

    @property
    def nullable(self) -> bool:
        """Return whether a call may pass None: for no value, or for a default that it computes."""
        return self.optional or isinstance(self.default, Expr)

    @property
    def taken(self) -> str:
        """Return the type that a call takes, without a length. It ends in `?` for None."""
        return f"{self.kind.name}{'?' * self.nullable}"


class _Required:
    """The class of the single object `REQUIRED`. Unpickling returns the same object."""

    def __repr__(self) -> str:
        return "REQUIRED"

    __reduce__ = __repr__


REQUIRED = _Required()


Requirement = reading.Requirement[Expr]


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a backward op, and its source in the forward.

    `source` is the role that the value has in the forward, and `of` is its name in the forward. If
    `expr` is set, the value is this expression. If `source` is "absent", an input is omitted, and
    an attr has its default.
    """

    name: str
    source: Source
    of: str = ""
    expr: Expr | None = None


@dataclass(frozen=True, slots=True)
class BackwardCall:
    """A call of the backward `op` that computes a part of a gradient.

    `arguments` are in the order of the backward's inputs, and `attrs` in the order of its attrs.
    `gradients` pairs inputs of the forward with results of the call.
    """

    op: str
    arguments: tuple[Argument, ...]
    attrs: tuple[Argument, ...]
    gradients: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Gradient:
    """The gradient of an op: none, autodiff of its reference, or rules.

    `shapes` pairs each tensor that has several possible shapes with its shape in this case of the
    gradient.
    """

    kind: Literal["none", "reference", "rules"]
    calls: tuple[BackwardCall, ...] = ()
    formulas: tuple[tuple[str, Expr], ...] = ()
    require: tuple[Requirement, ...] = ()
    shapes: tuple[tuple[str, Shape], ...] = ()

    @property
    def absent(self) -> frozenset[str]:
        """Return the inputs that must be absent, according to the gradient's key `require`."""
        refused = [r.condition.operand for r in self.require if isinstance(r.condition, Unary)]
        return frozenset(name for e in refused if isinstance(e, Call) for name in presence_in(e))

    def shape(self, tensor: Tensor) -> Shape:
        """Return the shape that a tensor has in this case of the gradient."""
        return dict(self.shapes).get(tensor.name) or tensor.shape


@dataclass(frozen=True, slots=True)
class Kernel(KernelKeys[Expr]):
    """A kernel of an op for one platform.

    `symbol` names the hand-written function, or one function for each case of a condition.
    `dispatch` names the dtype variables that are template parameters. If `dispatch` is empty, the
    kernel is a plain C function. `sources` are paths in the project's kernel folder.
    """

    name: str = ""
    sources: tuple[str, ...] = ()
    grid: tuple[Expr, ...] = ()
    block: tuple[Expr, ...] = ()
    dispatch: tuple[str, ...] = ()
    # The dtype combinations to instantiate, each with one dtype for each variable of `dispatch`.
    rows: tuple[tuple[str, ...], ...] = ((),)
    # The kernel's code, if it is a kind of kernel that has code.
    code: Code | None = None
    # The tunable values, and the values that were chosen for each device.
    tune: Tune | None = None
    # The guarantees that the kernel gives.
    guarantees: GuaranteesSpec = GuaranteesSpec()

    @property
    def native(self) -> bool:
        """Return whether the kernel is in the kernel library, so that C++ calls it in the same
        process.
        """
        return platforms()[self.platform].native

    @property
    def file(self) -> str | None:
        """Return the Python file of the kernel, in the kernels folder; None if it has none."""
        file = (self.named or "").rpartition(":")[0]
        return file if file.endswith(".py") else None

    @property
    def demanding(self) -> bool:
        """Return whether the kernel rejects some calls."""
        return bool(self.require) or self.index == "i32" or self.compiled

    @property
    def compiled(self) -> bool:
        """Return whether the kernel is compiled for certain devices, and accepts calls only on
        these devices.
        """
        return self.code is not None and self.code.compiled


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a descriptor: its C type, its value, and its offset in bytes."""

    name: str
    type: str
    value: Expr
    offset: int
    size: int
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Descriptor:
    """The C struct of sizes and options for a kernel. `explicit` is set if the spec lists the
    fields.
    """

    fields: tuple[Field, ...]
    size: int
    align: int
    explicit: bool
