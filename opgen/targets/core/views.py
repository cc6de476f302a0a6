"""Prepare the strings that fill the templates of `core/`."""

from __future__ import annotations

from opgen.ir.nodes import Field, Tensor
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.language.expr import Const
from opgen.language.expr.python import literal
from opgen.source.frozen import dataclass
from opgen.spec.attr_types import FIELD_TYPES
from opgen.targets.core.config import FunctionView, core_op, functions
from opgen.targets.core.facts import NAMES, Facts
from opgen.targets.own_names import own
from opgen.targets.public_api import (
    ABSTRACT,
    Parameter,
    parameters,
    result_type,
    shape_comment,
    types_in,
)
from opgen.targets.python_format import call, define, docstring, import_from, quoted, tuple_of

# The support functions that are not in `_opgen/core/runtime.py`, by module.
SUPPORT = {
    "descriptor": {"Descriptor"},
    "facts": NAMES,
    "kernel_choice": {"compiled_for"},
    "kinds": {
        "check_attr",
        "check_dtype",
        "check_list",
        "check_presence",
        "check_wanted",
        "given",
    },
}


@dataclass(frozen=True, slots=True)
class ResultView:
    """One field of the rendered class `Results`."""

    name: str
    type: str
    comment: str


@dataclass(frozen=True, slots=True)
class OpView:
    """The strings that fill the template of a module `core/_<op>.py`."""

    # The op's name.
    name: str
    # The docstring and the imports of the module.
    docstring: str
    imports: str
    # The docstring and the fields of the class `Results`.
    results_doc: str
    results: tuple[ResultView, ...]
    # The statements that define `DESCRIPTOR` and `FACTS`.
    descriptor: str
    facts: str
    # `infer` and `bind`.
    functions: tuple[FunctionView, ...]
    # The function that packs a descriptor: its `def` line, its docstring, and its body.
    pack: str
    pack_doc: str
    pack_call: str
    # The statement that creates the op's object.
    core_op: str
    # The names in the module of the classes and functions that opgen defines.
    own: dict[str, str]


def view(project: Project, op: Op) -> OpView:
    """Return the strings that fill the template of one op."""
    infer = parameters(op, own(op, "TensorSpec"), wanted=op.on_request, attrs=op.attrs)
    infer_doc = docstring(
        f"Check a call of `{op.name}` and give the shapes and dtypes of its results.\n\n"
        "Raises TypeError for a dtype, rank or kind, ValueError for a size or value."
    )
    shown, printer = functions(op, infer, infer_doc)
    facts = Facts(project, op)
    statement = facts.statement()
    printer.own.used |= facts.own.used
    fields = op.descriptor.fields
    packed = [Parameter(f.name, _field_type(f), _field_default(f)) for f in fields]
    used = printer.own.used | types_in(p.kind for p in (*infer, *packed))
    imports = [import_from("collections.abc", used & ABSTRACT)] if used & ABSTRACT else []
    imports += [import_from("typing", {"NamedTuple"} | used & {"Any"})]
    imports += printer.own.builtins()
    if "np" in used:
        imports += ["", f"import numpy as {own(op, 'np')}"]
    return OpView(
        name=op.name,
        docstring=docstring(
            f"`{op.name}`: {op.doc}\n\n"
            f"Rendered by opgen from {op.spec}: edit the spec, not this file."
        ),
        imports="\n".join(imports) + "\n\n" + _own_imports(op, printer.used | facts.used),
        results_doc=docstring(_results_doc(op)),
        results=tuple(
            ResultView(t.name, result_type(t, own(op, "TensorSpec")), _comment(t))
            for t in op.written
        ),
        descriptor=_descriptor(op),
        facts=statement,
        functions=shown,
        pack=define(own(op, "pack"), ["*", *packed] if packed else [], "bytes"),
        pack_doc=docstring(
            f"The {op.descriptor.size} bytes of the descriptor; padding is zero.\n\n"
            "Dtypes are given by name. Raises ValueError for a value that does not fit its field."
        ),
        pack_call=call(f"return {own(op, 'DESCRIPTOR')}.pack", [f.name for f in fields]),
        own={name: own(op, name) for name in ("Results", "DESCRIPTOR", "unpack")},
        core_op=core_op(project, op),
    )


def _comment(tensor: Tensor) -> str:
    """Return the comment for the field of a tensor. If the field's name hides a method of `tuple`,
    the comment also silences the type checker.
    """
    ignored = "type: ignore[assignment]  # " if hasattr(tuple, tensor.name) else ""
    return ignored + shape_comment(tensor)


def _own_imports(op: Op, names: set[str]) -> str:
    stems = {function.file.removesuffix(".py") for function in op.computed.values()}
    sizes = [f"from ..reference import {s} as _{s}" for s in sorted(stems)]
    there = {module: names & functions for module, functions in SUPPORT.items()}
    lines = [
        _import(op, f".._opgen.core.{module}", found) for module, found in there.items() if found
    ]
    lines.append(_import(op, ".._opgen.core.runtime", names.difference(*there.values())))
    return "\n".join([*sizes, *lines])


def _import(op: Op, module: str, names: set[str]) -> str:
    found = ((name, own(op, name)) for name in names)
    return import_from(module, [n if n == ours else f"{n} as {ours}" for n, ours in found])


def _results_doc(op: Op) -> str:
    text = f"The results of `{op.name}`"
    if op.residuals:
        text += ", then the residuals for its backward"
    return text + "."


def _descriptor(op: Op) -> str:
    fields = [
        f"({quoted(f.name)}, {quoted(_type_text(f))}, {f.offset})" for f in op.descriptor.fields
    ]
    items = [quoted(op.name), f"size={op.descriptor.size}", f"fields={tuple_of(fields)}"]
    return call(f"{own(op, 'DESCRIPTOR')} = {own(op, 'Descriptor')}", items)


def _type_text(field: Field) -> str:
    return f"{field.type}[{field.count}]" if field.count else field.type


def _field_type(field: Field) -> str:
    kind = FIELD_TYPES[field.type].python
    return f"Sequence[{kind}]" if field.count else kind


def _field_default(field: Field) -> str:
    """Return the default of a descriptor field. Return "" if the field's value is not a constant in
    the spec.
    """
    return literal(field.value.value) if isinstance(field.value, Const) else ""
