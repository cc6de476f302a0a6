"""What the template of an op places: strings only."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.dtypes import DTYPES
from opgen.expr import Expr
from opgen.ir import Attr, Op, Project, Tensor
from opgen.targets.core.views import dtype_text, shape_comment
from opgen.targets.python import call, define, docstring, import_from, quoted
from opgen.targets.torch.statements import cost, reference, register, sharding

PYTHON_TYPES = {"float": "float", "int": "int", "bool": "bool", "str": "str", "dtype": "torch.dtype"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class OpView:
    """One `torch/_<op>.py`."""

    docstring: str
    imports: str
    statements: tuple[str, ...]
    define: str
    face_doc: str
    body: tuple[str, ...]
    explain: str


def view(project: Project, op: Op) -> OpView:
    """The strings of one op."""
    parameters = _parameters(op)
    arguments = [each.name for each in (*op.inputs, *op.attrs)]
    # The schema's lists are never None: an absent one is empty.
    given = [
        f"{t.name} or []" if t.list and not t.always else t.name for t in op.inputs
    ]
    given += [attr.name for attr in op.attrs]
    statements = (
        *reference(project, op),
        register(project, op),
        *sharding(op),
        *cost(op),
    )
    explained = [quoted(op.name), "error", *arguments]
    return OpView(
        docstring=docstring(
            f"`{op.name}` for PyTorch.\n\n"
            f"Rendered by opgen from {op.spec}: edit the spec, not this file."
        ),
        imports=_imports(op, parameters, statements),
        statements=statements,
        define=define(f"def {op.name}(", parameters, f") -> {_returns(op)}:"),
        face_doc=docstring(_face_doc(op), 4),
        body=_body(op, given),
        explain=call("raise _runtime.explain(", explained, ") from None", 8),
    )


def _imports(op: Op, parameters: list[str], statements: tuple[str, ...]) -> str:
    standard, framework = [], []
    if any("Sequence[" in p for p in parameters):
        standard.append("from collections.abc import Sequence")
    if any("prod(" in s for s in statements):
        standard.append("from math import prod")
    if any("torch.dtype" in p for p in parameters):
        framework.append("import torch")
    framework.append("from torch import Tensor")
    local = [f"from ..core import {op.name} as _core", "from . import _runtime"]
    return "\n\n".join("\n".join(g) for g in (standard, framework, local) if g)


# -- the face ------------------------------------------------------------------------


def _parameters(op: Op) -> list[str]:
    """Inputs by position, attrs by keyword."""
    found = []
    for tensor in op.inputs:
        kind = "Sequence[Tensor]" if tensor.list else "Tensor"
        default = "" if tensor.always else " | None = None"
        found.append(f"{tensor.name}: {kind}{default}")
    attrs = [f"{a.name}: {_annotation(a)}{_default(a)}" for a in op.attrs]
    return [*found, "*", *attrs] if attrs else found


def _annotation(attr: Attr) -> str:
    base, bracket, _ = attr.type.partition("[")
    kind = f"Sequence[{base}]" if bracket else PYTHON_TYPES[base]
    nullable = attr.optional or isinstance(attr.default, Expr)
    return f"{kind} | None" if nullable else kind


def _default(attr: Attr) -> str:
    if attr.required:
        return ""
    if attr.default is None or isinstance(attr.default, Expr):
        return " = None"
    if attr.type == "dtype":
        return f" = torch.{DTYPES[attr.default].torch}"
    is_text = isinstance(attr.default, str)
    return f" = {quoted(attr.default) if is_text else repr(attr.default)}"


def _type(tensor: Tensor) -> str:
    kind = "list[Tensor]" if tensor.list else "Tensor"
    return kind if tensor.always else f"{kind} | None"


def _returns(op: Op) -> str:
    kinds = [_type(tensor) for tensor in op.results]
    return kinds[0] if len(kinds) == 1 else f"tuple[{', '.join(kinds)}]"


def _body(op: Op, arguments: list[str]) -> tuple[str, ...]:
    """The call, and what the caller gets of its results."""
    outputs, written = len(op.outputs), len(op.written)
    if len(op.results) == outputs and not any(t.length for t in op.outputs):
        item = "" if outputs == written else "[0]" if outputs == 1 else f"[:{outputs}]"
        return tuple(call("return _op(", arguments, f"){item}", 8).split("\n"))
    names = ", ".join(t.name if t in op.outputs else "_" for t in op.written)
    head = f"{names} = " if names else ""
    lines = call(f"{head}_op(", arguments, ")", 8).split("\n")
    results = [f"{t.name}[: int({t.length})]" if t.length else t.name for t in op.results]  # fmt: skip
    lines.append(f"return {', '.join(results)}")
    return tuple(line.removeprefix(" " * 8) for line in lines)


def _face_doc(op: Op) -> str:
    lines = [op.doc, ""]
    lines += [_argument_doc(t.name, shape_comment(t), t.doc) for t in op.inputs]
    lines += [_argument_doc(a.name, _attr_doc(a), a.doc) for a in op.attrs]
    results = ", ".join(f"{t.name}: {shape_comment(t)}" for t in op.results)
    lines.append(f"Returns {results}.")
    seen = {dtype for t in (*op.inputs, *op.results) for dtype in t.dtype.values()}
    named = [var.name for var in op.dtypes if var.name in seen]
    lines += [f"{name}: {dtype_text(op, name)}." for name in named]
    lines += [
        "",
        "Raises TypeError for a dtype, rank or kind, ValueError for a size, value or device.",
    ]
    return "\n".join(lines)


def _argument_doc(name: str, what: str, doc: str) -> str:
    return f"{name}: {what}{'. ' + doc if doc else ''}".removesuffix(".") + "."


def _attr_doc(attr: Attr) -> str:
    parts = [{"dtype": "a dtype"}.get(attr.type, attr.type)]
    if attr.choices:
        parts.append("one of " + ", ".join(map(repr, attr.choices)))
    if attr.min is not None:
        parts.append(f"at least {attr.min:g}")
    if attr.max is not None:
        parts.append(f"at most {attr.max:g}")
    return ", ".join(parts)
