"""An attr that a packed descriptor does not carry.

What it does: with `jax.attrs = "packed"`, every attr is the value of a field of the descriptor.
The field is an `f64` for a float. It is an `i64` or `i32` for an int, a choice (by position), a
bool or a dtype; the last two also have their own types. Inputs, outputs and attrs are always
present, and an input is updated in all calls or in none.

Why: JAX passes only the tensors and the descriptor's bytes to the kernel.

Example:

    attrs.mode        = { type = "str", choices = ["plain", "negated"] }
    jax.attrs         = "packed"
    descriptor.negate = { type = "bool", value = "mode == 'negated'" }

How to fix: add the field, `descriptor.mode = { type = "i64", value = "mode" }`, or remove
the descriptor, because its default has one for each attr. Or remove `jax.attrs`.
"""

from collections.abc import Iterator

from opgen.ir.descriptor import describe
from opgen.language.expr import Name
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic
from opgen.spec.models.attrs import AttrSpec

RULE = Rule("OG611", "packed-attr", Stage.MEANING)


def check(op: OpContext) -> Iterator[Diagnostic]:
    if op.spec.options["jax"]["attrs"] != "packed":
        return
    for tensor in op.spec.tensors.values():
        if tensor.table != "workspace" and tensor.absentable:
            what = f"`{tensor.name}` may be absent or is a list: packed calls are all alike"
            yield RULE.at(op.at(tensor.path, "key"), what, _HELP)
        if tensor.updates.by_table:
            what = f"`{tensor.name}` is updated in some calls: packed calls are all alike"
            yield RULE.at(op.at((*tensor.path, "update"), "key"), what, _HELP)
    fields = describe(op.scope).fields
    for name, attr in op.spec.attrs.items():
        where = op.at(("attrs", name), "key")
        if _may_lack(attr):
            what = f"`{name}` may be left out: packed calls are all alike"
            yield RULE.at(where, what, _HELP)
            continue
        coded = attr.type != "str" or attr.choices is not None
        kinds = attr.kind.fields if coded else ()
        held = (f for f in fields if f.value == Name(name) and f.count is None)
        if not any(field.type in kinds for field in held):
            what = f"`{name}` has no field of the descriptor that holds all of it"
            yield RULE.at(where, what, _fix(name, kinds))


_HELP = 'leave out `jax.attrs = "packed"`'


def _fix(name: str, kinds: tuple[str, ...]) -> str:
    if not kinds:
        return _HELP
    return f'add `descriptor.{name} = {{ type = "{kinds[0]}", value = "{name}" }}`'


def _may_lack(attr: AttrSpec) -> bool:
    """Return whether a call may lack the attr: it may be None, or follows from others."""
    return attr.optional or attr.late_default is not None
