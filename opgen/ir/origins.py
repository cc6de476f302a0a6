"""Which arguments give a call what its names are: errors name them beside the one that disagrees."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from opgen.ir.op import Op
from opgen.ir.shape_inference import Choose, Guard, Rank, Take

ALWAYS = Guard(present=False)


def origins(op: Op, names: Iterable[str], of: str = "") -> dict[str, str]:
    """The inputs that give the sizes `names`, but those that `of` itself gives.

    `dloss or logits` where it differs from call to call.
    """
    givers: dict[str, dict[str, bool]] = {}
    for step in op.plan.steps:
        if isinstance(step, Rank | Choose):
            continue
        found = givers.setdefault(step.name, {})
        if not any(found.values()):  # else one before it always gives the size
            always = replace(step.guard, unknown=False) == ALWAYS
            found[step.tensor] = found.get(step.tensor, False) or always
    others = {n: [t for t in givers[n] if t != of] for n in names if n in givers}
    return {name: " or ".join(found) for name, found in others.items() if found}


def said_of(op: Op, names: Iterable[str], of: str = "") -> str:
    """From where sizes and dtypes are, but those from `of` itself: `lead of q, T of x`.

    With a group that is what others leave of a shape, those are named too.
    """
    names = list(dict.fromkeys(names))
    for step in op.plan.steps:
        if isinstance(step, Take) and step.name in names:
            others = (*step.before.groups, *step.after.groups)
            names += [name for name in others if name not in names]
    found = origins(op, names, of) | {n: t for n in names if (t := _carriers(op, n, of))}
    return ", ".join(f"{name} of {found[name]}" for name in names if name in found)


def _carriers(op: Op, name: str, of: str) -> str:
    """The inputs that give a dtype variable, to the first that is always there; "" for none."""
    found: list[str] = []
    for tensor in op.inputs if op.dtype_var(name) else ():
        if tensor.dtype.plain and tensor.dtype.only == name and tensor.name != of:
            found.append(tensor.name)
            if tensor.always:
                break
    return " or ".join(found)
