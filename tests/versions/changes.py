"""One op in two versions, for each kind of change that a spec can have.

Every op of the project computes `a*x + w`; `CHANGES` says what its spec, or its reference, becomes.
"""

from __future__ import annotations

from pathlib import Path

NAME = "versions_ops"

SPEC = """
[ops.{op}]
doc            = "Computes `a*x + w`."
reference      = "changes.py:{op}"
inputs.x       = {{ dtype = "T", shape = "n d" }}
inputs.w       = {{ dtype = "T", shape = "n d" }}
attrs.a        = {{ type = "float", default = 2.0 }}
outputs.y      = {{ dtype = "T", shape = "n d" }}
grad.formulas  = {{ x = "a*dy", w = "dy" }}
sharding.split = ["n", "d"]
kernels        = ["cpu"]
samples        = [{{ n = 4, d = 8 }}]
"""
FORMULAS = 'grad.formulas  = { x = "a*dy", w = "dy" }'
X, W = (f'inputs.{name}       = {{ dtype = "T", shape = "n d" }}\n' for name in "xw")
REFERENCE = """
def {op}(xp, x, w, a=2.0):
    return a * x + w
"""
KERNEL = """
template <class T>
opgen::Status {op}(const {view}<T>& op) noexcept {{
  for (int64_t i = 0; i < op.x.numel(); ++i) op.y.data[i] = op.desc.a * op.x.data[i] + op.w.data[i];
  return opgen::Status::ok;
}}
"""

# By op: the text that is replaced in its former version, in its later one, and what replaces it.
Edit = tuple[str, str]
CHANGES: dict[str, tuple[Edit, ...]] = {
    "result_dtype": (('outputs.y      = { dtype = "T"', 'outputs.y      = { dtype = "f64"'),),
    "attr_default": (("default = 2.0", "default = 3.0"),),
    "attr_added": (
        ("outputs.y ", 'attrs.b        = { type = "float", default = 0.0 }\noutputs.y '),
    ),
    "input_order": ((X + W, W + X),),
    "input_dtype": (('inputs.w       = { dtype = "T"', 'inputs.w       = { dtype = "f64"'),),
    "formulas": (('x = "a*dy"', 'x = "3*a*dy"'),),
    "no_gradient": ((FORMULAS, 'grad           = "none"'),),
    "to_reference": ((FORMULAS, 'grad           = "reference"'), ("a * x + w", "5 * a * x + w")),
    "no_split": (('["n", "d"]', '["n"]'),),
}
# Cases of other shapes, layouts, residuals and bundles are in the files of the package hash too;
# these say so for each rule of `opgen diff`, so that a new rule needs a decision.
RULES = {
    "attrs": "attr_added",
    "defaults": "attr_default",
    "dtypes": "result_dtype",
    "gradient": "formulas",
    "input_order": "input_order",
    "sharding": "no_split",
}
BY_HASH = {
    "bundles": "a bundle is another Python signature of the same op",
    "descriptor_layout": "follows from attrs and dims",
    "guarantees": "decides which kernel runs, at the call",
    "kernel_arguments": "a matter of kernels and libraries alone",
    "names": "an op that is gone is an error by its name",
    "result_order": "schemas and layouts hold it",
    "saved_tensors": "schemas and layouts hold it",
    "shapes": "layouts hold it",
}


def write(folder: Path, later: bool) -> None:
    """A project with all ops, in the former or in the later version."""
    specs, kernels = folder / "specs", folder / "kernels/changes"
    specs.mkdir(parents=True)
    kernels.mkdir(parents=True)
    texts, references = ['spec = 1\n[dtypes]\nT = ["f32"]'], ['"""References."""']
    for op, edits in CHANGES.items():
        spec, reference = SPEC.format(op=op), REFERENCE.format(op=op)
        for old, new in edits if later else ():
            assert old in spec or old in reference, (op, old)
            spec, reference = spec.replace(old, new), reference.replace(old, new)
        if later and op == "input_order":
            reference = reference.replace("x, w, a", "w, x, a")
        if later and op == "attr_added":
            reference = reference.replace("a=2.0", "a=2.0, b=0.0")
        if later and op == "attr_default":
            reference = reference.replace("a=2.0", "a=3.0")
        texts.append(spec)
        references.append(reference)
    (specs / "changes.toml").write_text("\n".join(texts))
    (specs / "changes.py").write_text("\n\n".join(references))
    views = {op: f"{op.title().replace('_', '')}View" for op in CHANGES}
    functions = "".join(KERNEL.format(op=op, view=view) for op, view in views.items())
    (kernels / "changes.cpp").write_text(
        f'#include "changes.h"\nnamespace {NAME}::cpu {{\n{functions}}}  // namespace {NAME}::cpu\n'
    )
