"""Every expression of an op: where it stands, what it may see, what it should give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from opgen.ir.gradients import GRAD_KEYS, grads_of
from opgen.language.expr import Expr, parse_expr
from opgen.language.expr.places import spans_of_name
from opgen.language.scope import Scope, attr_type, cases_of, shapes_of
from opgen.source.diagnostics import Path, Where
from opgen.spec.inheritance import TENSOR_TABLES

# condition: decided before sizes are known. kernel: on the device. element: tensors are
# their elements. formula: so are cotangents. argument: cotangents are tensors.
Sees = Literal["condition", "size", "kernel", "element", "formula", "argument", "dtype"]


@dataclass(frozen=True, slots=True)
class Site:
    """One expression. `path` leads to its string in the op, `start` is its offset there.

    `wants` is the type it should have, as `opgen.language.expr.types` names types (or `any`).
    `each` says whether it stands inside a list, where `i` is an index.
    """

    path: Path
    text: str
    wants: str
    sees: Sees
    part: Literal["key", "value"] = "value"
    start: int = 0
    each: bool = False

    @property
    def expr(self) -> Expr:
        return parse_expr(self.text)

    @property
    def in_shape(self) -> bool:
        """Whether it is a term of a shape."""
        tensor = self.path[0] in TENSOR_TABLES
        return self.part == "value" and tensor and self.path[2:3] == ("shape",)


def conditions(path: Path, value: object) -> Iterator[Site]:
    """The conditions of what may be cases."""
    if isinstance(value, dict):
        for condition in value:
            if condition != "else":
                yield Site((*path, condition), condition, "bool", "condition", "key")


def op_sites(scope: Scope) -> Iterator[Site]:
    """All expressions of an op, but shapes' groups and the names in lists of names."""
    for table, name, entry in scope.entries():
        yield from _tensor(table, name, entry)
    for name, attr in scope.attrs.items():
        default = attr.get("default")
        if isinstance(default, str) and attr.get("type") not in ("str", "dtype"):
            wants = attr_type(attr) or "any"
            yield Site(("attrs", name, "default"), default, wants, "size")
    for name, value in scope.derived.items():
        yield from _dim(("dims", name), value)
    yield from requirements(("require",), scope.table.get("require"), "size")
    for _, path, grad in grads_of(scope):
        yield from _grad(path, grad)
    if isinstance(scope.table.get("grad"), dict):
        if not set(scope.table["grad"]) <= GRAD_KEYS:
            yield from conditions(("grad",), scope.table["grad"])
    sharding = scope.section("sharding")
    yield from conditions(("sharding", "split"), sharding.get("split"))
    for platform, kernel in scope.section("kernels").items():
        yield from _kernel(("kernels", platform), kernel)
    for name, field in scope.section("descriptor").items():
        if "value" in field:
            yield Site(
                ("descriptor", name, "value"), str(field["value"]), "any", "size"
            )
    for name, value in scope.section("cost").items():
        yield Site(("cost", name), str(value), "number", "size")


def dtype_sites(dtypes: Mapping) -> Iterator[Site]:
    """The expressions of the derived dtype variables."""
    for name, value in dtypes.items():
        if isinstance(value, list):
            continue
        for condition, item in cases_of(value):
            key = () if not isinstance(value, dict) else (condition or "else",)
            if condition is not None:
                yield Site((name, *key), condition, "bool", "dtype", "key")
            yield Site((name, *key), str(item), "dtype", "dtype")


def calls_at(path: Path, grad: object) -> Iterator[tuple[Path, str, Mapping]]:
    """(path, op, call) of each backward call of one `grad`; path is that of the op's name."""
    if not isinstance(grad, dict):
        return
    backward = grad.get("backward", [])
    several = isinstance(backward, list)
    for n, call in enumerate(backward if several else [backward]):
        place = (*path, "backward", *((n,) if several else ()))
        if isinstance(call, str):
            yield place, call, {"op": call}
        elif isinstance(call, dict):
            yield (*place, "op"), call.get("op", ""), call


def formulas_of(grad: object) -> Mapping[str, str]:
    """The formulas of one `grad`, by input."""
    formulas = grad.get("formulas") if isinstance(grad, dict) else None
    return formulas if isinstance(formulas, dict) else {}


def requirements(path: Path, items: object, sees: Sees) -> Iterator[Site]:
    """A list of conditions, some with a message."""
    for n, item in enumerate(items if isinstance(items, list) else ()):
        if isinstance(item, dict):
            for condition in item:
                yield Site((*path, n, condition), condition, "bool", sees, "key")
        else:
            yield Site((*path, n), item, "bool", sees)


def shape_sites(path: Path, text: str, sees: Sees, each: bool) -> Iterator[Site]:
    """The terms of a shape string that are expressions."""
    position = 0
    for word in text.split():
        position = text.index(word, position)
        if not word.startswith("*"):
            yield Site(path, word, "int", sees, "value", position, each)
        position += len(word)


def _tensor(table: str, name: str, entry: Mapping) -> Iterator[Site]:
    path = (table, name)
    each = "list" in entry
    sees: Sees = "kernel" if table == "workspace" else "size"
    for key in ("dtype", "shape", "update", "layout", "values"):
        yield from conditions((*path, key), entry.get(key))
    for below, text in shapes_of(entry):
        yield from shape_sites((*path, *below), text, sees, each)
    if "when" in entry:
        yield Site((*path, "when"), entry["when"], "bool", "condition")
    if "init" in entry:
        wants = "bool" if entry.get("dtype") == "bool" else "number"
        yield Site((*path, "init"), entry["init"], wants, "size")
    values = entry.get("values")
    for condition, text in cases_of(values) if values is not None else ():
        key = (condition or "else",) if isinstance(values, dict) else ()
        yield Site((*path, "values", *key), str(text), "bool", "element")
    for split, reduction in entry.get("reduce", {}).items():
        yield from conditions((*path, "reduce", split), reduction)


def _dim(path: Path, value: object) -> Iterator[Site]:
    if isinstance(value, dict) and "fn" in value:
        return
    yield from conditions(path, value)
    for condition, text in cases_of(value):
        key = (condition or "else",) if isinstance(value, dict) else ()
        yield Site((*path, *key), str(text), "int", "size")


def _grad(path: Path, grad: object) -> Iterator[Site]:
    if not isinstance(grad, dict):
        return
    for name, text in formulas_of(grad).items():
        if isinstance(text, str):
            yield Site((*path, "formulas", name), text, "number", "formula")
    for place, _, call in calls_at(path, grad):
        for name, text in call.get("args", {}).items():
            yield Site((*place[:-1], "args", name), str(text), "any", "argument")
    yield from requirements((*path, "require"), grad.get("require"), "size")


def _kernel(path: Path, kernel: object) -> Iterator[Site]:
    if not isinstance(kernel, dict):
        return
    yield from conditions((*path, "symbol"), kernel.get("symbol"))
    for key in ("grid", "block"):
        for n, text in enumerate(kernel.get(key, ())):
            if isinstance(text, str):
                yield Site((*path, key, n), text, "int", "kernel")
    yield from requirements((*path, "require"), kernel.get("require"), "kernel")


def span(subject, site: Site, start: int, end: int) -> Where:
    """The characters `start` to `end` of a site's text, in the file."""
    return subject.at(site.path, site.part, site.start + start, site.start + end)


def spans_in_shape(text: str, name: str) -> list[tuple[int, int]]:
    """Where a dim or group stands in a shape string."""
    found, position = [], 0
    for word in text.split():
        position = text.index(word, position)
        if not word.startswith("*"):
            found += [
                (position + a, position + b) for a, b in spans_of_name(word, name)
            ]
        elif word[1:].removesuffix("[i]") == name:
            found.append((position + 1, position + 1 + len(name)))
        position += len(word)
    return found


def first_use(op, name: str) -> Where:
    """Where an input's shape first holds the dim or group `name`."""
    for table, tensor, entry in op.scope.entries("inputs"):
        if entry.get("list") == name:
            return op.at((table, tensor, "list"))
        for below, text in shapes_of(entry):
            for start, end in spans_in_shape(text, name):
                return op.at((table, tensor, *below), "value", start, end)
    return op.at(())
