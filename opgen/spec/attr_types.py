"""The types of attrs, and the types of the descriptor fields that hold them.

`ATTR_TYPES` and `FIELD_TYPES` describe each type: the values that it can hold, and its names in
expressions, in C++ and in rendered Python. PyTorch and JAX have tables of the types that they pass.
"""

from __future__ import annotations

from opgen.runtime.core.attrs import SCALARS
from opgen.source.frozen import dataclass


@dataclass(frozen=True, slots=True)
class AttrType:
    """The type of an attr. The name of a list type ends in `[]`, for lists of any length.

    `words` describes the type in messages. `literals` are the Python types of the values that a
    spec may write for an element. `sample` is an example value. `field` is the type of the attr's
    field in the default descriptor. `call` is the type in C++ calls. `annotation` is the annotation
    of Python parameters; by default, the name.
    """

    name: str
    words: str
    literals: tuple[type, ...]
    sample: object
    field: str
    call: str
    annotation: str = ""

    @property
    def kind(self) -> str:
        """Return the type in expressions, such as `floats` for a list of floats."""
        return f"{self.name[:-2]}s" if self.several else self.name

    @property
    def several(self) -> bool:
        """Return whether this is a list type."""
        return self.name.endswith("[]")

    def literal(self, item: object) -> bool:
        """Return whether a spec may write `item` for an element. A bool is not a number."""
        if isinstance(item, tuple):  # the parts of a value
            numbers = all(type(part) in self.literals for part in item)
            return tuple in self.literals and len(item) == 2 and numbers
        return isinstance(item, self.literals) and (
            isinstance(item, bool) == (bool in self.literals)
        )

    def value(self, literal: object) -> object:
        """Return the value of a literal in a spec, such as the literal of a default."""
        return literal if self.several else SCALARS[self.name].read(literal)

    @property
    def passed(self) -> str:
        """Return the type as which frameworks pass a value: this one, or that of its parts."""
        return self.name if self.several else SCALARS[self.name].passed or self.name

    @property
    def reader(self) -> str:
        """Return the C++ function that makes a value from its parts; "" if it has none."""
        return f"opgen::of_parts<{self.call}>" if self.passed != self.name else ""

    def encoded(self, value: object) -> object:
        """Return `value` as frameworks pass it."""
        return value if self.several else SCALARS[self.name].encoded(value)


@dataclass(frozen=True, slots=True)
class FieldType:
    """A type of fields of the descriptor (a C struct), with its size and alignment in bytes.

    `cpp` is the C++ type of the struct member, and `python` is the annotation in Python. `holds`
    are the types of the expressions that a field can hold, and `lists` those that an array of such
    fields can hold. The type `enum` is a `str` with `choices`.
    """

    name: str
    size: int
    align: int
    cpp: str
    python: str
    holds: tuple[str, ...]
    lists: tuple[str, ...] = ()


ATTR_TYPES = {
    each.name: each
    for each in (
        AttrType("float", "a float", literals=(int, float), sample=0.5, field="f64", call="double"),
        AttrType("int", "an int", literals=(int,), sample=1, field="i64", call="opgen::Int"),
        AttrType(
            "complex",
            "a complex number",
            literals=(int, float, tuple),
            sample=0.5 + 0.25j,
            field="c128",
            call="std::complex<double>",
        ),
        AttrType("bool", "a bool", literals=(bool,), sample=False, field="i64", call="bool"),
        AttrType("str", "a str", literals=(str,), sample="", field="i64", call="std::string_view"),
        AttrType(
            "dtype",
            "a dtype",
            literals=(str,),
            sample="f32",
            field="i64",
            call="opgen::ElementType",
        ),
        AttrType(
            "float[]",
            "a list of floats",
            literals=(int, float),
            sample=(),
            field="f64",
            call="opgen::Floats",
        ),
        AttrType(
            "int[]", "a list of ints", literals=(int,), sample=(), field="i64", call="opgen::Sizes"
        ),
    )
}
_INTEGERS = ("int", "bool", "dtype", "enum")
_NUMBERS = ("int", "float")
FIELD_TYPES = {
    row[0]: FieldType(*row)
    for row in (
        ("i32", 4, 4, "int32_t", "int", _INTEGERS, ("ints",)),
        ("i64", 8, 8, "int64_t", "int", _INTEGERS, ("ints",)),
        ("f32", 4, 4, "float", "float", _NUMBERS, ("floats", "ints")),
        ("f64", 8, 8, "double", "float", _NUMBERS, ("floats", "ints")),
        ("c128", 16, 8, "std::complex<double>", "complex", ("complex",)),
        ("bool", 1, 1, "bool", "bool", ("bool",)),
        ("dtype", 4, 4, "opgen::ElementType", "str", ("dtype",)),
    )
}


def type_of_attr(text: str) -> AttrType:
    """Return the `AttrType` of an attr with the type `text`, such as `int[2]`."""
    base, bracket, _ = text.partition("[")
    return ATTR_TYPES[f"{base}[]" if bracket else base]
