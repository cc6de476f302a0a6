"""One op in two versions, for each kind of change that a spec can have.

Every op of the project computes `a*x + w`. `CHANGES` tells how its spec, reference and kernel
change.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

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

# The old text and the new text.
Edit = tuple[str, str]


def line(key: str, shape: str = "n d") -> str:
    """Return the line of a spec that declares a tensor."""
    return f'{key:14} = {{ dtype = "T", shape = "{shape}" }}\n'


X, W, Y, Z = line("inputs.x"), line("inputs.w"), line("outputs.y"), line("outputs.z")
P, Q = line("residuals.p"), line("residuals.q")
FORMULAS = 'grad.formulas  = { x = "a*dy", w = "dy" }'
BY_REFERENCE = (FORMULAS, 'grad           = "reference"')
PAIR = '[bundles.pair]\nx = { dtype = "T", shape = "n d" }\nw = { dtype = "T", shape = "n d" }\n'
LOOP = "  for (int64_t i = 0; i < op.x.numel(); ++i)"
BUNDLED = (
    ("[ops.bundle]", f"{PAIR}\n[ops.bundle]"),
    (X + W, 'inputs.p       = { bundle = "pair" }\n'),
    BY_REFERENCE,
    ("op.x", "op.p.x"),
    ("op.w", "op.p.w"),
)
TWO_RESULTS = (
    (Y, Y + Z),
    BY_REFERENCE,
    ("return a * x + w", "return a * x + w, a * x - w"),
    (
        "  return opgen",
        f"{LOOP} op.z.data[i] = op.desc.a * op.x.data[i] - op.w.data[i];\n  return opgen",
    ),
)
RESIDUALS = (
    (Y, Y + P + Q),
    (FORMULAS, 'grad.formulas  = { x = "p*dy", w = "q*dy" }'),
    ("return a * x + w", "return a * x + w, a + 0 * x, 1 + 0 * x"),
    ("  return opgen", f"{LOOP} op.p.data[i] = op.desc.a, op.q.data[i] = 1;\n  return opgen"),
)

# By op: the edits that make its former version, and those that then make the later version.
CHANGES: dict[str, tuple[tuple[Edit, ...], tuple[Edit, ...]]] = {
    "result_dtype": ((), ((Y, Y.replace('"T"', '"f64"')),)),
    "attr_default": ((), (("default = 2.0", "default = 3.0"), ("a=2.0", "a=3.0"))),
    "attr_added": ((), ((Y, f'attrs.b        = {{ type = "float" }}\n{Y}'), ("w, a=", "w, b, a="))),
    "input_order": ((), ((X + W, W + X), ("x, w, a", "w, x, a"))),
    "input_name": (
        (),
        (
            ("inputs.w", "inputs.v"),
            ('w = "dy"', 'v = "dy"'),
            ("x, w, a", "x, v, a"),
            ("a * x + w", "a * x + v"),
            ("op.w", "op.v"),
        ),
    ),
    "input_dtype": ((), ((W, W.replace('"T"', '"f64"')),)),
    "formulas": ((), (('x = "a*dy"', 'x = "3*a*dy"'),)),
    "no_gradient": ((), ((FORMULAS, 'grad           = "none"'),)),
    "to_reference": ((), (BY_REFERENCE, ("a * x + w", "5 * a * x + w"))),
    "no_split": ((), (('["n", "d"]', '["n"]'),)),
    "shape": (
        (BY_REFERENCE,),
        (
            (Y, line("outputs.y", "d n")),
            ("a * x + w", "(a * x + w).T"),
            ("op.y.data[i]", "op.y.data[i % op.x.size(1) * op.x.size(0) + i / op.x.size(1)]"),
        ),
    ),
    "result_order": (
        TWO_RESULTS,
        ((Y + Z, Z + Y), ("a * x + w, a * x - w", "a * x - w, a * x + w")),
    ),
    "saved_order": (RESIDUALS, ((P + Q, Q + P), ("a + 0 * x, 1 + 0 * x", "1 + 0 * x, a + 0 * x"))),
    "guarantee": (
        (("samples ", 'guarantees     = ["deterministic"]\nsamples '),),
        (('["deterministic"]', "[]"),),
    ),
    "bundle": (
        BUNDLED,
        (
            ('inputs.p       = { bundle = "pair" }\n', X + W),
            ("op.p.x", "op.x"),
            ("op.p.w", "op.w"),
        ),
    ),
}
# The two versions of these ops compute the same.
SAME = {"attr_added", "no_split", "input_dtype", "input_name", "guarantee", "bundle", "saved_order"}


def call(op: Any, name: str, later: bool, x: Any, w: Any) -> Any:
    """Return the first result of an op, called as its version requires."""
    given = ((x, w),) if name == "bundle" and not later else (x, w)
    found = op(*given, **({"b": 0.0} if name == "attr_added" and later else {}))
    return found[0] if isinstance(found, tuple) else found


def ops_of(package: Any) -> list[str]:
    """Return the ops of `CHANGES` that a package has."""
    return [name for name in CHANGES if hasattr(package, name)]


def write(
    folder: Path, later: bool, package: str = "versions_ops", ops: Collection[str] = tuple(CHANGES)
) -> None:
    """Write a project of these ops, in the former or in the later version."""
    specs, kernels = folder / "specs", folder / "kernels/changes"
    specs.mkdir(parents=True)
    kernels.mkdir(parents=True)
    texts = {specs / "changes.toml": 'spec = 1\n[dtypes]\nT = ["f32"]\n'}
    texts[specs / "changes.py"] = '"""References."""\n'
    texts[source := kernels / "changes.cpp"] = (
        f'#include "changes.h"\nnamespace {package}::cpu {{\n'
    )
    for op in ops:
        former, then = CHANGES[op]
        view = f"{op.title().replace('_', '')}View"
        parts = [each.format(op=op, view=view) for each in (SPEC, REFERENCE, KERNEL)]
        for old, new in (*former, *(then if later else ())):
            assert any(old in each for each in parts), (op, old)
            parts = [each.replace(old, new) for each in parts]
        texts = {file: text + part for (file, text), part in zip(texts.items(), parts)}
    texts[source] += f"}}  // namespace {package}::cpu\n"
    for file, text in texts.items():
        file.write_text(text)
    (folder / "pyproject.toml").write_text(
        f'[project]\nname = "{package}"\nversion = "{1 + later}"\n'
        f'[tool.opgen]\npackage = "{package}"\nnamespace = "{package}"\nout = "{package}"\n'
    )
