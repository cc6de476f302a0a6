"""A `jax.nnx_init` that is no initializer of Flax.

What it does: takes `nnx.initializers.ones` and `zeros`, and calls of the other functions of
`nnx.initializers` with constants.

Why: the text becomes the default of a parameter in a rendered module, which runs when the package
is imported.

Example:

    jax.nnx_init = { weight = "my_init()" }

How to fix: name an initializer of Flax; any other is given by the caller, as `weight_init`.
"""

from collections.abc import Iterator

from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic
from opgen.targets.jax.initializer_text import initializer

RULE = Rule("OG626", "bad-initializer", Stage.NAMES)


def check(op: OpContext) -> Iterator[Diagnostic]:
    for name, text in (op.spec.options["jax"]["nnx_init"] or {}).items():
        try:
            initializer(text)
        except ValueError as error:
            where = op.at(("jax", "nnx_init", name))
            help = "write it as in `nnx.initializers.normal(stddev=0.02)`"
            yield RULE.at(where, f"`{text}` {error}", help)
