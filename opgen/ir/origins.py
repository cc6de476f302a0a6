"""Find the arguments that determine the sizes and dtypes of a call, for error messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from opgen.ir.nodes import Tensor
from opgen.ir.op import Op
from opgen.ir.shape_inference import Choose, Guard, Rank, Take
from opgen.language.analysis import analysis
from opgen.language.expr import names_in

ALWAYS = Guard(present=False)


def origins(op: Op, names: Iterable[str], of: str = "") -> dict[str, str]:
    """Return, for each size in `names`, the input that determines the size.

    If one of several inputs determines the size, the text names all of them, as in
    `dloss or logits`. The input `of` is left out, and so is a size that only `of` determines.
    """
    givers = _givers(op)
    others = {n: [t for t in givers[n] if t != of] for n in names if n in givers}
    return {name: " or ".join(found) for name, found in others.items() if found}


@analysis
def _givers(op: Op) -> dict[str, dict[str, bool]]:
    """Return, for each size, the inputs that may determine the size.

    The value of an input is True if the input determines the size in every call.
    """
    givers: dict[str, dict[str, bool]] = {}
    for step in op.plan.steps:
        if isinstance(step, Rank | Choose):
            continue
        found = givers.setdefault(step.name, {})
        if not any(found.values()):  # otherwise an earlier input always determines the size
            guard = replace(step.guard, unknown=False) if step.guard.unknown else step.guard
            always = guard == ALWAYS
            found[step.tensor] = found.get(step.tensor, False) or always
    return givers


def said_of(op: Op, names: Iterable[str], of: str = "") -> str:
    """Return the inputs that determine sizes and dtypes, as text: `lead of q, T of x`.

    The input `of` is left out. If a group takes the remaining dims of a shape, its size depends on
    the other groups of the shape. So the text also names these groups.
    """
    names = list(dict.fromkeys(names))
    for step in op.plan.steps:
        if isinstance(step, Take) and step.name in names:
            others = (*step.before.groups, *step.after.groups)
            names += [name for name in others if name not in names]
    found = origins(op, names, of) | {n: t for n in names if (t := _carriers(op, n, of))}
    return ", ".join(f"{name} of {found[name]}" for name in names if name in found)


def _carriers(op: Op, name: str, of: str) -> str:
    """Return the inputs that may determine the dtype variable `name`, joined by "or". The text is
    "" if there are none.

    The input `of` is left out. The list ends with the first input that is always present.
    """
    found: list[str] = []
    for tensor in op.inputs if op.dtype_var(name) else ():
        if tensor.dtype.plain and tensor.dtype.only == name and tensor.name != of:
            found.append(tensor.name)
            if tensor.always:
                break
    return " or ".join(found)


def dtype_origins(op: Op, tensor: Tensor) -> str:
    """Return, as text, the other inputs and the attrs that determine the dtype of a tensor."""
    names: dict[str, None] = {}
    for condition, value in tensor.dtype.cases:
        var = op.dtype_var(value)
        names |= dict.fromkeys(names_in(var.expr) if var and not var.free else [value])
        names |= dict.fromkeys(names_in(condition) if condition is not None else ())
    attrs = [attr.name for attr in op.attrs]
    found = [said_of(op, names, tensor.name), *(name for name in names if name in attrs)]
    return ", ".join(filter(None, found))
