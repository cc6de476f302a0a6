"""Find the meaning of the names in one op.

One namespace holds tensors, attrs, dims, groups, derived dims and dtype variables. Two of these may
have the same name only if an attr *is* a dim (or, as `int[]`, a group).
"""

from __future__ import annotations

from typing import Literal

from opgen.language.analysis import analysis
from opgen.language.dtype_variables import DtypeVariables
from opgen.language.dtypes import DTYPES
from opgen.language.expr import ParseError, names_in
from opgen.language.shapes import Dim, Group, parse_shape
from opgen.source.cached import cached_property
from opgen.source.frozen import dataclass
from opgen.spec.models.attrs import AttrSpec
from opgen.spec.models.ops import OpSpec
from opgen.spec.models.tensors import TensorSpec

# Device properties that a kernel may require.
DEVICE = ("arch", "sms")
RESERVED = ("i", *DEVICE)


@dataclass(frozen=True, eq=False)
class Scope:
    """The names in the op `spec`, with their meaning."""

    spec: OpSpec

    @cached_property
    def dtypes(self) -> DtypeVariables:
        return DtypeVariables(self.spec.dtypes)

    @cached_property
    def functions(self) -> dict[str, str]:
        """Return `file.py:function` for each derived dim that a Python function computes."""
        return {n: dim.fn for n, dim in self.spec.dims.items() if dim.fn is not None}

    @cached_property
    def dtype_vars(self) -> tuple[str, ...]:
        attrs = (n for n, a in self.spec.attrs.items() if a.type == "dtype")
        return tuple(dict.fromkeys((*self.spec.dtypes, *attrs)))

    @property
    def decided(self) -> tuple[str, ...]:
        """Return the names of dtypes and tensors. They are decided before sizes are known."""
        return (*self.spec.dtypes, *self.spec.tensors)

    @cached_property
    def bound(self) -> dict[str, Literal["dim", "group"]]:
        """Return the names whose sizes follow from input shapes, each mapped to "dim" or "group".

        Names of attrs, derived dims and dtypes are left out.
        """
        found: dict[str, Literal["dim", "group"]] = {}
        for tensor in self.spec.inputs.values():
            if tensor.list is not None and tensor.list.isidentifier():
                found.setdefault(tensor.list, "dim")
            for _, text in tensor.texts:
                try:
                    terms = parse_shape(text).terms
                except ParseError:
                    continue
                for term in terms:
                    if isinstance(term, Group):
                        found.setdefault(term.name, "group")
                    elif isinstance(term, Dim):
                        for dim in names_in(term.size):
                            if term.name or dim not in self.spec.dtypes:
                                found.setdefault(dim, "dim")
        known = (*self.spec.attrs, *self.spec.dims, *DTYPES, *RESERVED)
        return {name: kind for name, kind in found.items() if name not in known}

    def type_of(self, name: str) -> str | None:
        """Return the type of a name in expressions; None if the name is unknown.

        The types are `int`, `float`, `bool`, `str`, `dtype`, `ints` (group, `int[]`), `floats`,
        `tensor` and `list`.
        """
        if name in DTYPES:
            return "dtype"
        if name in self.spec.attrs:
            return attr_type(self.spec.attrs[name])
        if name in self.spec.tensors:
            return "tensor" if self.spec.tensors[name].list is None else "list"
        if name in self.spec.dtypes:
            return "dtype"
        if name in self.bound:
            return "int" if self.bound[name] == "dim" else "ints"
        return "int" if name in self.spec.dims or name in RESERVED else None

    def dtypes_of(self, tensor: TensorSpec) -> tuple[str, ...]:
        """Return every dtype that the tensor may have in some call."""
        names = tensor.dtype.values()
        return tuple(dict.fromkeys([dtype for name in names for dtype in self.choices(name)]))

    def choices(self, name: str) -> tuple[str, ...]:
        """Return every dtype that a name in a `dtype` key of the spec may stand for."""
        if name in self.spec.dtypes:
            return self.dtypes.choices[name]
        if name in self.spec.attrs:
            choices = self.spec.attrs[name].choices
            return tuple(DTYPES) if choices is None else choices
        return (name,)

    def floating(self, tensor: TensorSpec) -> bool:
        """Return whether a tensor has a floating dtype in some call."""
        return any(DTYPES[d].floating for d in self.dtypes_of(tensor) if d in DTYPES)

    def differentiable(self, tensor: TensorSpec) -> bool:
        """Return whether an input may have a gradient.

        The input must be floating and never updated, and the spec must not exclude it.
        """
        said = tensor.differentiable and not tensor.updated
        return said and self.floating(tensor)


@analysis
def scope_of(op: OpSpec) -> Scope:
    """Return the `Scope` of an op, the same one for all callers."""
    return Scope(op)


def attr_type(attr: AttrSpec) -> str:
    """Return the type of an attr in expressions; "" if the attr has no type."""
    return attr.kind.kind if attr.type else ""
