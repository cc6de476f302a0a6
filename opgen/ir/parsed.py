"""Parse the texts of a spec into the expressions, shapes, attrs and inputs of the IR."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

from opgen.ir.abi import must_be_given
from opgen.ir.nodes import REQUIRED, Attr, Requirement, Tensor
from opgen.language.expr import Expr, parse_expr
from opgen.language.expr.decide import decide
from opgen.language.shapes import Shape, parse_shape
from opgen.spec.cases import Cases
from opgen.spec.models import reading
from opgen.spec.models.attrs import AttrSpec
from opgen.spec.models.reading import is_expression
from opgen.spec.models.tensors import Form, TensorSpec

V = TypeVar("V")


def decided(cases: Cases[V]) -> Cases[V]:
    """Return cases with parsed conditions. A case whose condition is always false is left out.

    A condition that is always true becomes None, and the cases after it are left out.
    """
    found: list[tuple[Expr | None, V]] = []
    for condition, value in cases.cases:
        expr = expression_of(condition)
        holds = None if expr is None else decide(expr, {})
        if holds:
            return Cases((*found, (None, value)))
        if holds is None:
            found.append((expr, value))
    return Cases(tuple(found))


def expression_of(text: str | None) -> Expr | None:
    return None if text is None else parse_expr(text)


def requirements(items: Iterable[reading.Requirement[str]]) -> tuple[Requirement, ...]:
    return tuple(Requirement(parse_expr(i.condition), i.message) for i in items)


def parsed(node: Any, cls: Any, **known: Any) -> dict[str, Any]:
    """Return values for the fields of the IR class `cls`. They come from `node`, a part of the
    spec, with expressions and shapes parsed.

    `known` has the values of fields that are already parsed.
    """
    for name, texts in _fields(cls):
        if name not in known:
            value = getattr(node, name)
            plain = type(value) in _PLAIN and not texts
            known[name] = value if plain else _parsed(value, texts)
    return known


# The types of values without expressions.
_PLAIN = (str, bool, int, float, type(None))


@cache
def _fields(cls: Any) -> tuple[tuple[str, bool], ...]:
    """Return the name of each field of a class, and whether the field's value is an expression."""
    keys = ((each.name, each.metadata.get("key")) for each in fields(cls))
    return tuple((name, key is not None and is_expression(key.type)) for name, key in keys)


def _parsed(value: Any, texts: bool) -> Any:
    if isinstance(value, Cases):
        if not value.cases or (value.plain and not texts and type(value.only) is not tuple):
            return value
        return decided(value).map(lambda each: _parsed(each, texts))
    if type(value) is tuple:
        return tuple(_parsed(each, texts) for each in value)
    return parse_expr(str(value)) if texts and value is not None else value


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
