"""Models of attrs, dtype variables, derived dims and fields of descriptors."""

from __future__ import annotations

from typing import Annotated, Any

from opgen.source.frozen import dataclass
from opgen.spec.attr_types import ATTR_TYPES, FIELD_TYPES, AttrType, type_of_attr
from opgen.spec.cases import Cases
from opgen.spec.models.strings import (
    AttrType as TypeName,
)
from opgen.spec.models.strings import (
    Called,
    Expression,
    FieldType,
    Prose,
    listed,
)
from opgen.spec.models.types import Integer, Scalar, Values, key


@dataclass(frozen=True)
class AttrSpec:
    """An option of a call, by keyword."""

    name: str
    type: str = key(
        TypeName,
        f"{listed(ATTR_TYPES)}, or a list of fixed length such as `int[2]`. Required.",
        "float",
        "int[2]",
        default="",
    )
    default: Any = key(
        Values,
        "The default value. Except for `str` and `dtype`, it may also be an expression in "
        "quotes, which may use sizes. Without a default, callers must pass the attr.",
        1e-5,
        "d**-0.5",
        late=True,
    )
    choices: tuple[Any, ...] | None = key(
        Annotated[list[Scalar], Called("[value, ...]")],
        "The allowed values. In C++ the attr is a position in this list. By default all "
        "values are allowed.",
        ["none", "mean", "sum"],
    )
    min: int | float | None = key(
        Integer | float, "The smallest allowed value of each element.", 0.0
    )
    max: int | float | None = key(
        Integer | float, "The largest allowed value of each element.", 1.0
    )
    optional: bool = key(
        bool,
        "If `true`, the attr may be `None`, which is then its default. `false` by " "default.",
        True,
        default=False,
    )
    tuning: bool = key(
        bool,
        "If `true`, the attr does not change results, so a backward may receive another "
        "value. `false` by default.",
        True,
        default=False,
    )
    doc: str = key(Prose, "A description of the attr.", "The longest query sequence.", default="")

    @property
    def kind(self) -> AttrType:
        """Return the description of the attr's type."""
        return type_of_attr(self.type)

    @property
    def element(self) -> str:
        """Return the type of the elements: `int` for `int[2]`."""
        return self.type.partition("[")[0]

    @property
    def several(self) -> bool:
        """Return whether the attr is a list."""
        return "[" in self.type

    @property
    def length(self) -> int | None:
        """Return the fixed number of elements: 2 for `int[2]`; None if the length may vary."""
        inside = self.type.partition("[")[2].removesuffix("]")
        return int(inside) if inside else None

    def items(self, value: object) -> tuple[Any, ...] | None:
        """Return the elements of a literal, or None if it is not of the attr's type.

        A scalar has one element: the literal itself.
        """
        items = tuple(value) if isinstance(value, list | tuple) else None
        if not self.several:
            items = (value if items is None else items,)
        fits = items is not None and all(map(self.kind.literal, items))
        return items if fits else None

    @property
    def late_default(self) -> str | None:
        """Return the default if it is an expression, which may use sizes; otherwise None."""
        literal = not isinstance(self.default, str) or self.type in ("str", "dtype")
        return None if literal else self.default

    @property
    def required(self) -> bool:
        return self.default is None and not self.optional

    @property
    def may_be_none(self) -> bool:
        return self.optional and self.default is None


@dataclass(frozen=True)
class FieldSpec:
    """One field of the C struct that passes sizes and options to a kernel."""

    name: str
    type: str | None = key(
        FieldType,
        f"{listed(FIELD_TYPES)}, or an array such as `i64[8]`; a `dtype` is a 32-bit code. Required.",
        "i32",
        "dtype",
    )
    value: str | None = key(
        Expression,
        "The value of the field. If it does not fit the type, the call raises an error. "
        "Required.",
        "prod(batch)",
    )


@dataclass(frozen=True)
class DimSpec:
    """A derived dim, computed from other sizes by an expression, or by a Python function `fn`."""

    name: str
    value: Cases[str] = Cases()
    fn: str | None = None


@dataclass(frozen=True)
class DtypeSpec:
    """A dtype variable: free, with a list of dtypes, or derived, with an expression."""

    name: str
    choices: tuple[str, ...] | None = None
    value: Cases[str] = Cases()

    @property
    def free(self) -> bool:
        return self.choices is not None
