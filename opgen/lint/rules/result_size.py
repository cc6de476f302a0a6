"""An expression uses the size of a tensor that the op creates.

This rule checks that the arguments of `numel`, `rank` and `stride` are inputs, and not outputs,
residuals or workspace.

Why: opgen evaluates expressions from the inputs, before it allocates the results.

Example:

    inputs.x   = { dtype = "T", shape = "m k" }
    outputs.y  = { dtype = "T", shape = "m n" }
    cost.flops = "2*k*numel(y)"

How to fix: write the size as an expression over dims: `2*k*m*n`.
"""

from opgen.language.expr import Binary, Expr, Name, calls_in, text_of
from opgen.language.expr.places import spans_of_name
from opgen.language.shapes import Dim, Group, Term, parse_shape
from opgen.lint.expression_contexts import span
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG328", "result-size", Stage.TYPES)

ASKED = {"numel": "size", "rank": "rank", "stride": "strides"}


def check(op: OpContext) -> Findings:
    for site in op.sites:
        if site.sees in ("condition", "formula"):
            continue
        for func, name in _asked(site.expr):
            tensor = op.spec.tensors.get(name)
            if tensor is None or tensor.table == "inputs":
                continue
            start, end = spans_of_name(site.text, name)[0]
            message = f"`{name}` is no input: it has no {ASKED[func]} yet"
            help_ = "say it by the dims and strides of inputs"
            shapes = [parse_shape(text) for _, text in tensor.texts]
            if func != "stride" and len(shapes) == 1 and tensor.list is None:
                help_ = f"write `{_written_out(func, shapes[0].terms)}`"
            yield RULE.at(span(op, site, start, end), message, help_)


def _asked(expr: Expr) -> list[tuple[str, str]]:
    """Return (function, tensor) for each different call in `expr` of a function in `ASKED`."""
    found = {
        (c.func, c.args[0].id): None
        for c in calls_in(expr)
        if c.func in ASKED and isinstance(c.args[0], Name)
    }
    return list(found)


def _written_out(func: str, terms: tuple[Term, ...]) -> str:
    """Return `numel` or `rank` of a tensor with the shape `terms`, as an expression over dims."""
    groups = [t.name for t in terms if isinstance(t, Group)]
    sizes = [t.size for t in terms if isinstance(t, Dim)]
    if func == "rank":
        return " + ".join([*(f"len({group})" for group in groups), str(len(sizes))])
    factors = [*(f"prod({group})" for group in groups), *map(_factor, sizes)]
    return "*".join(factors) or "1"


def _factor(size: Expr) -> str:
    text = text_of(size).replace(" ", "")
    return f"({text})" if isinstance(size, Binary) else text
