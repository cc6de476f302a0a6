"""What the template of an op places: strings only."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.dtypes import DTYPES
from opgen.ir import Op, Project
from opgen.targets.face import documentation, parameters, results
from opgen.targets.python import call, define, docstring, quoted
from opgen.targets.torch.statements import cost, reference, register, sharding


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
        face_doc=docstring(documentation(op, "a size, value or device"), 4),
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
    local = ["from . import _runtime"]
    return "\n\n".join("\n".join(g) for g in (standard, framework, local) if g)


# -- the face ------------------------------------------------------------------------


def _parameters(op: Op) -> list[str]:
    """Inputs by position, attrs by keyword."""
    return parameters(
        op, "Tensor", "torch.dtype", lambda name: f"torch.{DTYPES[name].torch}"
    )


def _returns(op: Op) -> str:
    kinds = results(op, "Tensor")
    return kinds[0] if len(kinds) == 1 else f"tuple[{', '.join(kinds)}]"


def _body(op: Op, arguments: list[str]) -> tuple[str, ...]:
    """The call, and what the caller gets of its results."""
    outputs, written = len(op.outputs), len(op.written)
    if len(op.results) == outputs and not any(t.length for t in op.outputs):
        item = "" if outputs == written else "[0]" if outputs == 1 else f"[:{outputs}]"
        lines = call("return _op(", arguments, f"){item}", 8).split("\n")
        return tuple(line.removeprefix(" " * 8) for line in lines)
    names = ", ".join(t.name if t in op.outputs else "_" for t in op.written)
    head = f"{names} = " if names else ""
    lines = call(f"{head}_op(", arguments, ")", 8).split("\n")
    results = [f"{t.name}[: int({t.length})]" if t.length else t.name for t in op.results]  # fmt: skip
    lines.append(f"return {', '.join(results)}")
    return tuple(line.removeprefix(" " * 8) for line in lines)
