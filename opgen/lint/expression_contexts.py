"""Find every expression of an op, its location, the names it may use, and its expected type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Literal, Protocol

from opgen.language.expr import Expr, IfElse, ParseError, parse_expr, walk
from opgen.language.expr.places import spans_of_name
from opgen.language.scope import attr_type
from opgen.source.cached import cached_property
from opgen.source.diagnostics import Path, Where
from opgen.source.frozen import dataclass
from opgen.spec.cases import Cases
from opgen.spec.models.attrs import AttrSpec, DtypeSpec
from opgen.spec.models.kernels import KernelSpec
from opgen.spec.models.ops import OpSpec
from opgen.spec.models.reading import Requirement, keys_of
from opgen.spec.models.rules import GradSpec
from opgen.spec.models.strings import Condition, Expression
from opgen.spec.models.tensors import TensorKeys, TensorSpec
from opgen.spec.tables import TENSOR_TABLES

# The kinds of expressions, which decide the names that an expression may use:
# condition: evaluated before sizes are known, so it must not use sizes.
# kernel: evaluated at launch, so it may use properties of the device.
# element: about elements of a tensor; the name of the tensor means one element.
# formula: a gradient formula; the names of tensors and of cotangents mean elements.
# argument: an argument of a backward; the names of cotangents mean whole tensors.
Sees = Literal["condition", "size", "kernel", "element", "formula", "argument", "dtype"]


class Located(Protocol):
    """An object that finds locations in a spec file: an op, or the dtype variables of the file."""

    def at(
        self,
        path: Path,
        part: Literal["key", "value"] = "value",
        start: int | None = None,
        end: int | None = None,
    ) -> Where: ...


@dataclass(frozen=True)
class Site:
    """One expression of a spec.

    The expression is in the string at `path`, and starts at offset `start` of this string. `wants`
    is the expected type: a name from `opgen.language.expr.types`, or `any`. `sees` decides which
    names the expression may use. `each` is True if the expression applies to each tensor of a list,
    and may use `i`, the index of the tensor.
    """

    path: Path
    text: str
    wants: str
    sees: Sees
    part: Literal["key", "value"] = "value"
    start: int = 0
    each: bool = False

    @cached_property
    def expr(self) -> Expr:
        return parse_expr(self.text)

    @property
    def parts(self) -> list[Expr]:
        """Return all subexpressions, or none if the expression is invalid.

        OG104 reports invalid expressions.
        """
        try:
            return list(walk(self.expr))
        except ParseError:
            return []

    @property
    def in_shape(self) -> bool:
        """Return whether the expression is a term of a shape."""
        tensor = self.path[0] in TENSOR_TABLES
        return self.part == "value" and tensor and self.path[2:3] == ("shape",)


def op_sites(op: OpSpec) -> Iterator[Site]:
    """Yield all expressions of an op.

    Groups in shapes (`*batch`), and names in lists of names, do not count as expressions.
    """
    for site in dtype_sites(op.own_dtypes):
        asks = site.part == "key" or any(isinstance(part, IfElse) for part in site.parts)
        sees: Sees = "condition" if asks else "dtype"
        yield replace(site, path=("dtypes", *site.path), sees=sees)
    for tensor in op.tensors.values():
        yield from _tensor(tensor)
    for attr in op.attrs.values():
        yield from _attr(attr)
    for name, text in op.let.items():
        yield Site(("let", name), text, "bool", "size")
    for name, dim in op.dims.items():
        yield from _conditions(("dims", name), dim.value)
        for key, text in dim.value.placed():
            yield Site(("dims", name, *key), text, "int", "size")
    yield from requirements(op.require, "size")
    for _, grad in op.grad.cases:
        yield from _grad(grad)
    yield from _conditions(("grad",), op.grad)
    yield from _conditions(("sharding", "split"), op.sharding.split)
    for kernel in op.kernels:
        yield from _kernel(kernel)
    for name, field in op.descriptor.items():
        if field.value is not None:
            yield Site(("descriptor", name, "value"), field.value, "any", "size")
    for name, text in op.cost.items():
        yield Site(("cost", name), text, "number", "size")


def dtype_sites(dtypes: Mapping[str, DtypeSpec]) -> Iterator[Site]:
    """Yield the expressions of the derived dtype variables."""
    for name, variable in dtypes.items():
        for condition, text in variable.value.cases:
            path = (name, *variable.value.key(condition))
            if condition is not None:
                yield Site(path, condition, "bool", "dtype", "key")
            yield Site(path, text, "dtype", "dtype")


def requirements(items: Iterable[Requirement[str]], sees: Sees) -> Iterator[Site]:
    """Yield the conditions of `require` as expressions that must be bools."""
    for item in items:
        yield Site(item.path, item.condition, "bool", sees, item.part)


def _conditions(path: Path, cases: Cases[Any]) -> Iterator[Site]:
    for condition in cases.conditions:
        yield Site((*path, *cases.key(condition)), condition, "bool", "condition", "key")


def shape_sites(path: Path, text: str, sees: Sees, each: bool) -> Iterator[Site]:
    """Yield every term of the shape string `text` that is not a group."""
    position = 0
    for word in text.split():
        position = text.index(word, position)
        if not word.startswith("*"):
            yield Site(path, word, "int", sees, "value", position, each)
        position += len(word)


def _tensor(tensor: TensorSpec) -> Iterator[Site]:
    path, each = tensor.path, tensor.list is not None
    sees: Sees = "kernel" if tensor.table == "workspace" else "size"
    for place, cases in tensor.cases.items():
        yield from _conditions((*path, *place), cases)
    for form in tensor.texts:
        yield from shape_sites((*path, *form.path), form.text, sees, each)
    for name, held, is_condition in _texts():
        text = getattr(tensor, held)
        if text is None:
            continue
        if is_condition:
            yield Site((*path, name), text, "bool", "condition")
        elif name == "init":
            wants = "bool" if tensor.dtype.alone == "bool" else "number"
            yield Site((*path, name), text, wants, "size")
        else:
            yield Site((*path, name), text, "int", "size", each=each)
    for place, text in tensor.values.placed():
        yield Site((*path, "values", *place), text, "bool", "element")


@cache
def _texts() -> tuple[tuple[str, str, bool], ...]:
    """Return the tensor keys whose values are expressions.

    Each item is (key, field name, is condition).
    """
    keys = ((name, held, key.type) for name, (held, key) in keys_of(TensorKeys).items())
    return tuple((n, h, t == Condition) for n, h, t in keys if t in (Condition, Expression))


def _attr(attr: AttrSpec) -> Iterator[Site]:
    if attr.late_default is not None:
        yield Site(
            ("attrs", attr.name, "default"), attr.late_default, attr_type(attr) or "any", "size"
        )


def _grad(grad: GradSpec) -> Iterator[Site]:
    for name, text in grad.formulas.items():
        yield Site((*grad.path, "formulas", name), text, "number", "formula")
    for call in grad.calls:
        for name, text in call.args.items():
            yield Site((*call.place, "args", name), text, "any", "argument")
    yield from requirements(grad.require, "size")


def _kernel(kernel: KernelSpec) -> Iterator[Site]:
    yield from _conditions((*kernel.path, "symbol"), kernel.symbol)
    for key, extent in (("grid", kernel.grid), ("block", kernel.block)):
        for n, text in enumerate(extent):
            if isinstance(text, str):
                yield Site((*kernel.path, key, n), text, "int", "kernel")
    for name, size in kernel.blocks.items():
        if isinstance(size, str):
            yield Site((*kernel.path, "blocks", name), size, "int", "size")
    for name, value in kernel.constexpr.items():
        if isinstance(value, str):
            wants = "int" if name in kernel.values else "bool"
            path = kernel.path_of_constant(name)
            if name in kernel.values:
                yield Site((*path, value), value, wants, "size", "key")
            else:
                yield Site(path, value, wants, "size")
    yield from requirements(kernel.require, "kernel")


def case_tables(op: OpSpec) -> Iterator[tuple[Path, str | None, Cases[Any]]]:
    """Yield (path, tensor name, cases) for each table of cases in the op.

    The tensor name is None if the table does not belong to a tensor. If the table belongs to a
    tensor, it has no effect in calls without this tensor.
    """
    for name, tensor in op.tensors.items():
        for key, cases in tensor.cases.items():
            yield (*tensor.path, *key), name, cases
    others: list[tuple[Path, Cases[Any]]]
    others = [(("dtypes", name), dtype.value) for name, dtype in op.own_dtypes.items()]
    others += [(("dims", name), dim.value) for name, dim in op.dims.items()]
    others += [(("grad",), op.grad), (("sharding", "split"), op.sharding.split)]
    others += [((*kernel.path, "symbol"), kernel.symbol) for kernel in op.kernels]
    for path, cases in others:
        if cases.by_table:
            yield path, None, cases


def span(subject: Located, site: Site, start: int, end: int) -> Where:
    """Return the location in the file of the characters `start` to `end` of `site.text`."""
    return subject.at(site.path, site.part, site.start + start, site.start + end)


def span_of(subject: Located, site: Site, name: str) -> Where:
    """Return the location in the file where the expression `site` first uses `name`."""
    return span(subject, site, *spans_of_name(site.text, name)[0])


def spans_in_shape(text: str, name: str) -> list[tuple[int, int]]:
    """Return the (start, end) offsets of each use of a dim or group in the shape string `text`."""
    found, position = [], 0
    for word in text.split():
        position = text.index(word, position)
        if not word.startswith("*"):
            found += [(position + a, position + b) for a, b in spans_of_name(word, name)]
        elif word[1:].removesuffix("[i]") == name:
            found.append((position + 1, position + 1 + len(name)))
        position += len(word)
    return found
