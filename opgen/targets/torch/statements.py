"""Print the statements of an op's module that register its rule, batching and reference."""

from __future__ import annotations

import re
from collections.abc import Iterable

from opgen.ir.nodes import Attr, Tensor
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.targets.backwards import has_reference, reference_statement
from opgen.targets.own_names import Names
from opgen.targets.python_format import WIDTH, call, dict_of, quoted, tuple_of
from opgen.targets.torch.cost import flops
from opgen.targets.torch.rules import (
    differentiable_by_reference,
    rule,
    unreadable,
)
from opgen.targets.torch.schema import schema_type


def register(project: Project, op: Op) -> str:
    """Return the statement `_op = _runtime.register(...)`."""
    items = [quoted(op.name), f"rule={tuple_of(map(_literal, rule(project, op)))}"]
    if op.vmap == "none":
        items.append("vmap=False")
    if forward_mode(project, op):
        items.append("reference=_reference")
        unread = unreadable(project, op)
        items += [f"unread={tuple_of(map(quoted, unread))}"] if unread else []
    return call("_op = _runtime.register", items)


def replaced(op: Op) -> list[str]:
    """Return a statement for each schema in `torch.replaces`. The statement registers this op under
    the schema.
    """
    return [
        call(
            "_runtime.replace",
            [
                quoted(op.name),
                quoted(each["schema"]),
                dict_of(f"{quoted(n)}: {quoted(old)}" for n, old in each.get("args", {}).items()),
            ],
        )
        for each in op.options["torch"]["replaces"] or ()
    ]


def _literal(line: str) -> str:
    """Return a line of a rule as a string literal, or as several adjacent literals if long."""
    parts = [""]
    for word in line.split(" "):
        if parts[-1] and len(parts[-1] + word) > WIDTH - 12:
            parts.append("")
        parts[-1] += f"{word} "
    parts[-1] = parts[-1][:-1]
    return " ".join(map(quoted, parts))


def _names(things: Iterable[Tensor | Attr]) -> str:
    return tuple_of(quoted(each.name) for each in things)


def cost(own: Names) -> list[str]:
    """Return the statement `_runtime.count_flops(...)`, or [] if the FLOPs are unknown."""
    text = flops(own)
    if text is None:
        return []
    used = re.findall(r"\w+", text)
    names = [each.name for each in own.op.arguments if each.name in used]
    formula = f"lambda {', '.join([*names, '**_'])}: {text}"
    return [call("_runtime.count_flops", ["_op", formula])]


def reference(project: Project, op: Op) -> list[str]:
    """Return the statements that define the reference in the op's module.

    The module needs the reference if a gradient uses it, or if it runs in place of a missing
    kernel. Otherwise return [].
    """
    by_reference = any(grad.kind == "reference" for grad in op.grad.values())
    if not has_reference(project, op) or not (op.fallback or forward_mode(project, op)):
        return []
    statements = [reference_statement(project, op)]
    if op.fallback:
        statements.append(call("_runtime.fall_back", [quoted(op.name), "_reference"]))
    if by_reference:
        statements.append(_gradient(project, op))
    return statements


def forward_mode(project: Project, op: Op) -> bool:
    """Return whether PyTorch's forward-mode autodiff differentiates the op's reference."""
    some = any(grad.kind != "none" for grad in op.grad.values())
    return some and has_reference(project, op) and not any(t.update for t in op.inputs)


def _gradient(project: Project, op: Op) -> str:
    wanted = [op.tensor(name) for name in differentiable_by_reference(project, op)]
    arguments = [f"{'Tensor[]' if t.list else 'Tensor?'} d{t.name}" for t in op.outputs]
    arguments += [f"{_tensor_type(t)} {t.name}" for t in op.inputs]
    arguments += [f"{schema_type(a)} {a.name}" for a in op.attrs]
    results = ", ".join("Tensor[]" if t.list else "Tensor" for t in wanted)
    signature = f"({', '.join(arguments)}, bool[] needed) -> ({results})"
    items = [quoted(op.name), quoted(signature), "_reference", f"wanted={_names(wanted)}"]
    unread = unreadable(project, op)
    if unread:
        items.append(f"unread={tuple_of(map(quoted, unread))}")
    return call("_runtime.define_gradient", items)


def _tensor_type(tensor: Tensor) -> str:
    return "Tensor[]" if tensor.list else "Tensor" if tensor.always else "Tensor?"
