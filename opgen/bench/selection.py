"""The selection of the ops that `opgen bench` measures, and the reasons for omitting others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from opgen.bench.errors import BenchError
from opgen.bench.sizes import sample_of
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.source.diagnostics import did_you_mean
from opgen.testing.cases import names_of

# An example value for a missing size in a sample, by the kind of the size.
_SIZES = {
    "int": "8",
    "ints": "[2, 8]",
    "int of each": "[8, 8]",
    "ints of each": "[[2, 8], [2, 8]]",
}


def select(
    project: Project, names: Sequence[str], device: str, kernels: Path, say: Callable[[str], None]
) -> list[str]:
    """Return the ops called `names`, or by default all ops that can be measured on their own.

    `device` is the platform of the kernels to measure. A backward without samples is measured
    together with its forward. Raises `BenchError` if an op cannot be measured.
    """
    known = [op.name for op in project.ops]
    for name in names:
        if name not in known:
            raise BenchError(f"there is no op `{name}`: {did_you_mean(name, known)}")
        problem = _problem(project, project.op(name), device, kernels)
        if problem:
            raise BenchError(f"`{name}` cannot be measured: {problem}")
    if names:
        return list(dict.fromkeys(names))
    backwards = {call.op for op in project.ops for call in op.backward_calls}
    found = []
    for op in project.ops:
        if op.kernel(device) is None or (op.name in backwards and not op.samples):
            continue
        problem = _problem(project, op, device, kernels)
        if problem:
            say(f"`{op.name}` is left out: {problem}")
        else:
            found.append(op.name)
    if not found:
        raise BenchError(f"no op has both a kernel for {device} and a sample")
    return found


def _problem(project: Project, op: Op, device: str, kernels: Path) -> str | None:
    if op.kernel(device) is None:
        awaited = any(kernel.platform == device for kernel in op.awaited)
        return (
            f"its {device} kernel is not written yet: there is no source in {kernels / op.family}/"
            if awaited
            else f"it has no kernel for {device}"
        )
    if sample_of(op) is None:
        of = next(
            (
                o.name
                for o in project.ops
                if o is not op and op.name in {c.op for c in o.backward_calls}
            ),
            None,
        )
        hint = f"; as the backward of `{of}` it is measured with that" if of else ""
        sizes = ", ".join(f"{n} = {_SIZES[kind]}" for n, kind in names_of(op).items())
        advice = "" if of else f"; add a sample to its spec, such as `samples = [{{ {sizes} }}]`"
        return f"none of its `samples` gives every size{hint}{advice}"
    return None
