"""An op uses one name for two things.

This rule compares the names of an op's tensors, attrs, derived dims, dims, groups and dtype
variables. If formulas or backwards compute gradients, it also compares the cotangents of outputs.
Only an attr that shapes use as a size may share its name with a dim.

Why: expressions, kernel arguments and Python signatures have one namespace.

Example:

    inputs.d = { dtype = "T", shape = "n d" }

How to fix: rename one of the two.
"""

from collections.abc import Iterator

from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import Path

RULE = Rule("OG205", "name-clash", Stage.NAMES)

WORDS = {
    "inputs": "an input",
    "outputs": "an output",
    "residuals": "a residual",
    "workspace": "a workspace",
    "attrs": "an attr",
    "let": "a condition",
    "dims": "a derived dim",
}


def check(op: OpContext) -> Findings:
    kinds: dict[str, str] = {}
    for name, kind, path in _declared(op):
        if name in kinds:
            message = f"`{name}` is {kinds[name]} and {kind}"
            where = op.first_use(name) if path is None else op.at(path, "key")
            yield RULE.at(where, message, "rename one of them")
        kinds.setdefault(name, kind)
    if any(grad.kind == "rules" for grad in op.spec.grad.values()):
        for cotangent, output in op.cotangents.items():
            if cotangent in kinds:
                yield RULE.at(
                    op.at(("outputs", output), "key"),
                    f"`{cotangent}` is {kinds[cotangent]} and the cotangent of `{output}`",
                    "rename one of them",
                )


def _declared(op: OpContext) -> Iterator[tuple[str, str, Path | None]]:
    """Yield (name, kind, path) for each declared name.

    The path is None if a shape declares the name.
    """
    spec = op.spec
    for name in spec.dtypes:
        if name not in spec.attrs or spec.attrs[name].type != "dtype":
            path = ("dtypes", name) if name in spec.own_dtypes else None
            yield name, "a dtype variable", path
    for table, words in WORDS.items():
        for name in getattr(spec, table):
            yield name, words, (table, name)
    for bundle in spec.bundles:
        yield bundle.name, "a bundle", bundle.path
    for name, kind in op.scope.bound.items():
        bundles = [bundle.name for bundle in spec.bundles]
        if name in (*spec.tensors, *spec.dtypes, *spec.let, *bundles):
            yield name, f"a {kind}", None
