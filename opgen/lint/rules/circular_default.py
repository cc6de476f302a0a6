"""An attr whose default depends on sizes determines a size.

This rule checks attrs whose default is an expression. Such an attr must not be in an input's
shape, and the default of an earlier attr in the file must not use it.

Why: a call first determines sizes from shapes. Then it computes defaults from sizes, in file order.

Example:

    inputs.x = { dtype = "T", shape = "n k" }
    attrs.k  = { type = "int", default = "n // 2" }

How to fix: remove the default. Or remove the attr, because the shape determines the dim.
"""

from opgen.language.expr import names_in
from opgen.language.shapes import parse_shape
from opgen.lint.expression_contexts import Site, span_of
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG318", "circular-default", Stage.TYPES)


def check(op: OpContext) -> Findings:
    defaults: dict[str, Site] = {str(s.path[1]): s for s in op.sites if s.path[0] == "attrs"}
    order = list(op.spec.attrs)
    for name, site in defaults.items():
        for other in names_in(site.expr):
            if other in defaults and order.index(other) >= order.index(name):
                where = span_of(op, site, other)
                message = f"the default of `{name}` looks at `{other}`, which comes later"
                if other == name:
                    message = f"the default of `{name}` looks at itself"
                yield RULE.at(where, message, "defaults are computed in file order")
    derived = {str(s.path[1]): s.expr for s in op.sites if s.path[0] == "dims"}
    for tensor in op.spec.inputs.values() if defaults else ():
        for below, text in tensor.texts:
            for name in parse_shape(text).names:
                reads = {name, *(names_in(derived[name]) if name in derived else ())}
                for attr in sorted(reads & set(defaults)):
                    yield RULE.at(
                        op.in_shape((*tensor.path, *below), text, name),
                        f"the shape holds `{attr}`, whose default looks at sizes",
                        "leave the default out",
                    )
