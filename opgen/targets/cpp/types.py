"""Find the C++ types of tensors, attrs and dtype variables."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from opgen.ir.nodes import DTypeVar, Tensor
from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Call, Expr, IfElse, Name, names_in
from opgen.language.expr.cpp import CppPrinter
from opgen.spec.cases import Cases
from opgen.targets.cpp import CPP_TYPES
from opgen.targets.cpp.names import cpp_name


def typed_dtypes(op: Op, dispatch: Collection[str]) -> dict[str, str]:
    """Return the dtype variables that are C++ types inside a kernel with this `dispatch`.

    Each name is mapped to its type. A dispatched variable is a template parameter. A derived
    variable is a type if its value depends only on other types.
    """
    types = {name: cpp_name(name) for name in dispatch}
    for var in (*op.dtypes, *op.derived_dtypes):
        if not var.free:
            text = _cases(var.value, {**dict.fromkeys(DTYPES), **types})
            if text is not None:
                types[var.name] = text
    return types


def _cases(cases: Cases[Expr], types: Mapping[str, object]) -> str | None:
    *rest, (condition, value) = cases.cases
    text = _type(value, types) if condition is None else None
    for test, earlier in reversed(rest):
        text = text and _conditional(test, _type(earlier, types), text, types)
    return text


def _type(expr: Expr, types: Mapping[str, object]) -> str | None:
    match expr:
        case Name(id=id) if id in DTYPES:
            return CPP_TYPES[id]
        case Name(id=id):
            return cpp_name(id) if id in types else None
        case Call("accum" | "promote" | "real" as func, args):
            texts = [text for a in args if (text := _type(a, types)) is not None]
            if len(texts) < len(args):
                return None
            return f"opgen::{func}_t<{', '.join(texts)}>"
        case IfElse(test, body, orelse):
            return _conditional(test, _type(body, types), _type(orelse, types), types)
    return None


def _conditional(
    test: Expr, body: str | None, orelse: str | None, types: Mapping[str, object]
) -> str | None:
    if body is None or orelse is None or not set(names_in(test)) <= set(types):
        return None
    printer = CppPrinter(name=lambda n: f"opgen::element_type_v<{cpp_name(n)}>")
    return f"std::conditional_t<({printer(test)}), {body}, {orelse}>"


def element(tensor: Tensor, types: Mapping[str, str]) -> str | None:
    """Return the C++ element type of a tensor, or None if the type is only known at run time."""
    if not tensor.dtype.plain:
        return None
    name = tensor.dtype.only
    return CPP_TYPES[name] if name in DTYPES else (name in types and cpp_name(name)) or None


def free_vars(op: Op) -> tuple[DTypeVar, ...]:
    """Return the free dtype variables whose values come from tensors, in file order."""
    attrs = {attr.name for attr in op.attrs}
    return tuple(var for var in op.dtypes if var.free and var.name not in attrs)
