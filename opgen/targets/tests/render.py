"""Conformance tests that follow from the specs: whoever adds a spec gets its tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from opgen.ir.abi import gives_optional
from opgen.ir.op import Op
from opgen.ir.placements import untold
from opgen.ir.project import Family, Project, Whole
from opgen.language.dtypes import DTYPES
from opgen.targets import environment
from opgen.targets.python_format import call, docstring, import_from, quoted
from opgen.targets.target import OutputFile

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True, slots=True)
class TestView:
    """One `tests/test_<op>.py`: which checks apply to the op."""

    name: str
    docstring: str
    imports: str
    load: str
    announced: bool
    runs: bool
    oracle: bool
    gradients: bool
    gradcheck: bool
    special: bool
    split: bool
    told: bool
    counted: bool
    optional: bool
    gpu: bool
    triton: bool
    pallas: bool


def view(project: Project, op: Op) -> TestView:
    """The checks that apply to `op`."""
    floats = [
        var
        for var in op.dtypes
        if var.free and any(DTYPES[choice].floating for choice in var.choices)
    ]
    doubles = ["f64" in var.choices for var in floats]
    differentiable = all(grad.kind != "none" for grad in op.grad.values())
    oracle = op.reference is not None and op.name not in project.residual_readers
    gradients = differentiable and oracle and bool(floats)
    arguments = ["__file__", quoted(op.name), f"package={quoted(project.package)}"]
    arguments.append(f"namespace={quoted(project.namespace)}")
    runs = any(kernel.platform == "cpu" and kernel.sources for kernel in op.kernels)
    names = ["agreement", "cases", "jax_checks", "load", "torch_checks"]
    names += ["jax_kinds", "torch_kinds"]
    names += ["doubles"] if gradients and all(doubles) else []
    names += ["jax_linear"] if runs and gradients and all(doubles) else []
    gpu = any(k.platform in ("cuda", "hip") and (k.sources or k.triton) for k in op.kernels)
    announced = any(kernel.platform == "cpu" for kernel in (*op.kernels, *op.awaited))
    names += ["built"] if announced else []
    special = runs and oracle and bool(floats)
    names += ["special_values"] if special else []
    # Also a backward: what it computes of any residuals, its reference does too.
    triton = op.reference is not None and any(kernel.triton for kernel in op.kernels)
    names += ["DEVICES"] if gpu and oracle and (runs or triton) else []
    names += ["hostile", "torch_graphs", "torch_transforms"] if runs else []
    names += ["jax_wrong_calls", "torch_wrong_calls"] if runs else []
    names += ["triton_checks"] if triton else []
    pallas = op.reference is not None and any(kernel.pallas for kernel in op.kernels)
    names += ["pallas_checks"] if pallas else []
    split = bool(op.splittable)
    told = untold(op) is None
    names += ["jax_sharding", *(["torch_sharding"] if told else [])] if runs and split else []
    return TestView(
        name=op.name,
        docstring=docstring(
            f"Conformance tests of `{op.name}`.\n\n"
            f"Rendered by opgen from {op.spec}: edit the spec, not this file."
        ),
        imports=import_from("opgen.testing", names),
        load=call("SUBJECT = load(", arguments),
        announced=announced,
        runs=runs,
        oracle=oracle,
        gradients=gradients,
        gradcheck=gradients and all(doubles),
        special=special,
        split=split,
        told=told,
        counted=any(t.length for t in op.outputs),
        optional=any(gives_optional(op, t) for t in op.written),
        gpu=gpu,
        triton=triton,
        pallas=pallas,
    )


def family_outputs(project: Project, family: Family) -> Iterable[OutputFile]:
    """A module of `tests/` for each op, and a copy of the spec, from which it reads the op."""
    template = environment(TEMPLATES).get_template("op.py.j2")
    yield OutputFile(f"tests/specs/{family.spec}", family.spec_text)
    for file, text in (*family.references, *family.optimizers, *family.python_kernels):
        yield OutputFile(f"tests/specs/{file}", text)
    for op in family.ops:
        yield OutputFile(f"tests/test_{op.name}.py", template.render(op=view(project, op)))


def shared_outputs(whole: Whole, summaries: Sequence[None]) -> Iterable[OutputFile]:
    """pytest's configuration."""
    conftest = environment(TEMPLATES).get_template("conftest.py.j2")
    yield OutputFile("tests/conftest.py", conftest.render())
