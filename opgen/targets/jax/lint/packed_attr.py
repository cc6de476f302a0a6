"""An attr that a packed descriptor does not carry.

What it does: with `jax.attrs = "packed"` every attr is the value of a field of the descriptor:
`f64` for a float, `i64` or `i32` for an int, a choice (by position), a bool or a dtype, which
also have types of their own. Inputs, outputs and attrs are always there.

Why: the descriptor's bytes are all that JAX hands to the kernel beside the tensors.

Example:

    attrs.mode        = { type = "str", choices = ["plain", "negated"] }
    jax.attrs         = "packed"
    descriptor.negate = { type = "bool", value = "mode == 'negated'" }

How to fix: add the field, `descriptor.mode = { type = "i64", value = "mode" }`, or leave the
descriptor out, whose default has one for each attr; or leave `jax.attrs` out.
"""

from collections.abc import Iterator, Mapping

from opgen.ir.descriptor import describe
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Name
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic
from opgen.spec.attr_types import type_of_attr

RULE = Rule("OG611", "packed-attr", Stage.MEANING)


def check(op: OpContext) -> Iterator[Diagnostic]:
    if op.scope.section("jax").get("attrs") != "packed":
        return
    for table, name, entry in op.scope.entries("inputs", "outputs", "residuals"):
        if op.absentable(entry):
            what = f"`{name}` may be absent or is a list: packed calls are all alike"
            yield RULE.at(op.at((table, name), "key"), what, _HELP)
    fields = describe(op.scope).fields
    for name, attr in op.scope.attrs.items():
        where = op.at(("attrs", name), "key")
        if _may_lack(attr):
            what = f"`{name}` may be left out: packed calls are all alike"
            yield RULE.at(where, what, _HELP)
            continue
        coded = attr["type"] != "str" or "choices" in attr
        kinds = type_of_attr(str(attr["type"])).fields if coded else ()
        held = (f for f in fields if f.value == Name(name) and f.count is None)
        if not any(field.type in kinds for field in held):
            what = f"`{name}` has no field of the descriptor that holds all of it"
            yield RULE.at(where, what, _fix(name, kinds))


_HELP = 'leave out `jax.attrs = "packed"`'


def _fix(name: str, kinds: tuple[str, ...]) -> str:
    if not kinds:
        return _HELP
    return f'add `descriptor.{name} = {{ type = "{kinds[0]}", value = "{name}" }}`'


def _may_lack(attr: Mapping) -> bool:
    """Whether a call may lack the attr: it may be None, or follows from others."""
    default = attr.get("default")
    plain = attr["type"] == "str" or (attr["type"] == "dtype" and default in DTYPES)
    return bool(attr.get("optional")) or (isinstance(default, str) and not plain)
