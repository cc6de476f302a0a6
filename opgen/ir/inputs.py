"""Parse the parts of an op that shape inference needs, for both the IR and lint rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields

from opgen.ir.abi import must_be_given
from opgen.ir.nodes import REQUIRED, Attr, Tensor
from opgen.language.expr import parse_expr
from opgen.language.shapes import Shape, parse_shape
from opgen.spec.cases import Cases
from opgen.spec.models.attrs import AttrSpec
from opgen.spec.models.tensors import Form, TensorSpec


def shapes_of(forms: Iterable[Form]) -> tuple[Shape, ...]:
    return tuple(parse_shape(form.text) for form in forms)


def in_order(attrs: Mapping[str, AttrSpec]) -> list[AttrSpec]:
    """Return the attrs in call order. Attrs without a default in PyTorch's schema come first.

    A schema does not allow a required argument after an argument with a default.
    """
    return sorted(attrs.values(), key=lambda attr: not must_be_given(attr))


def attr_of(attr: AttrSpec) -> Attr:
    """Return the IR of an attr. Its default is a value, an expression, or `REQUIRED`."""
    default = attr.default
    if default is None and not attr.optional:
        default = REQUIRED
    elif attr.late_default is not None:
        default = parse_expr(attr.late_default)
    elif default is not None:
        default = attr.kind.value(default)
    kept = {each.name: getattr(attr, each.name) for each in fields(AttrSpec)}
    return Attr(**{**kept, "default": default, "choices": attr.choices or ()})


def input_of(tensor: TensorSpec) -> Tensor:
    """Return the IR of an input, with only the parts for shape inference: shapes and presence."""
    cases = (
        (None if condition is None else parse_expr(condition), shapes_of(forms))
        for condition, forms in tensor.forms.cases
    )
    return Tensor(
        name=tensor.name,
        table="inputs",
        dtype=Cases(),
        forms=Cases(tuple(cases)),
        optional=tensor.optional,
        when=None if tensor.when is None else parse_expr(tensor.when),
        list=tensor.list,
    )
