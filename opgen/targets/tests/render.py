"""Render the conformance tests of a package, which cover every op in the specs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from opgen.ir.op import Op
from opgen.ir.placements import untold
from opgen.ir.project import Family, Project, Whole
from opgen.language.dtypes import DTYPES
from opgen.targets import environment
from opgen.targets.target import OutputFile
from opgen.targets.torch.schema import gives_optional

TEMPLATES = Path(__file__).parent / "templates"

Row = tuple[str, str]


def properties(project: Project, op: Op) -> list[str]:
    """Return the properties of `op` that decide which checks of the test suite run for the op.

    `CHECKS` in `opgen/testing/suite.py` lists the properties that each check needs.
    """
    floats = [
        var
        for var in op.dtypes
        if var.free and any(DTYPES[choice].floating for choice in var.choices)
    ]
    compared = op.reference is not None and op.name not in project.residual_readers
    runs = any(kernel.platform == "cpu" and kernel.sources for kernel in op.kernels)
    # This includes backward ops, because a kernel and its reference agree for any residuals.
    triton = op.reference is not None and any(kernel.kind == "triton" for kernel in op.kernels)
    values = compared and (runs or triton)
    taught = bool(floats) and all(grad.kind != "none" for grad in op.grad.values())
    gradients = values and taught
    # Without a kernel, the forward is the reference itself, so only its gradient is checked.
    by_reference = compared and not op.residuals and taught and _falls_back(project, op)
    found = {
        "kernel": any(kernel.platform == "cpu" for kernel in (*op.kernels, *op.awaited)),
        "runs": runs,
        "values": values,
        "special": runs and compared and bool(floats),
        "grad": gradients or by_reference,
        "f64": gradients and all("f64" in var.choices for var in floats),
        "split": bool(op.splittable),
        "dtensor": bool(op.splittable) and untold(op) is None,
        "vmap": not any(t.length for t in op.outputs),
        "optional": any(gives_optional(op, t) for t in op.written),
        "gpu": any(k.platform in ("cuda", "hip") and (k.sources or k.compiled) for k in op.kernels),
        "triton": triton,
        "pallas": op.reference is not None
        and any(kernel.kind == "pallas" for kernel in op.kernels),
    }
    return [name for name, holds in found.items() if holds]


def _falls_back(project: Project, op: Op) -> bool:
    """Return whether `op` and its backward ops can run without kernels."""
    return all(each.fallback for each in (op, *(project.op(call.op) for call in op.backward_calls)))


def family_outputs(project: Project, family: Family) -> Iterable[OutputFile]:
    """Yield a copy of the family's spec in the folder of its reference. The tests read the copy."""
    yield OutputFile(f"reference/{family.spec}", family.spec_text)


def summary(project: Project, family: Family) -> list[Row]:
    """Return the name and the properties of each op in the family."""
    return [(op.name, " ".join(properties(project, op))) for op in family.ops]


def shared_outputs(whole: Whole, summaries: Sequence[list[Row]]) -> Iterable[OutputFile]:
    """Yield the tests of all ops, and pytest's configuration."""
    templates = environment(TEMPLATES)
    rows = [row for family in summaries for row in family]
    names = {"package": whole.package, "namespace": whole.namespace}
    tests = templates.get_template("test_ops.py.j2").render(rows=rows, **names)
    yield OutputFile("tests/test_ops.py", tests)
    conftest = templates.get_template("conftest.py.j2")
    yield OutputFile("tests/conftest.py", conftest.render())
