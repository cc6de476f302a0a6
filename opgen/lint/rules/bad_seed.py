"""`seed` is on an input that cannot be a seed.

This rule checks that an input with `seed` is an `i64` scalar that is not updated. It must not
have `begin` or `init`. It may have a `when` that reads only attrs and the presence of tensors.

Why: if the caller passes no seed, opgen draws one in PyTorch. In JAX it converts a key to a seed.
Both happen before sizes and dtypes are known.

Example:

    inputs.x    = { dtype = "T", shape = "*s" }
    inputs.seed = { dtype = "u32", shape = "2", seed = true }

How to fix: write `dtype = "i64", shape = ""`.
"""

from opgen.language.expr import Call, names_in, parse_expr, presence_in, walk
from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG330", "bad-seed", Stage.TYPES)


def check(op: OpContext) -> Findings:
    for name, tensor in op.spec.tensors.items():
        if not tensor.seed:
            continue
        where = op.at((*tensor.path, "seed"), "key")
        if tensor.table != "inputs":
            message = f"`{name}` is no input: nobody gives it a seed"
            yield RULE.at(where, message, "`seed` belongs to an input")
        elif not tensor.scalar or tensor.begin is not None or tensor.init is not None:
            message = f"`{name}` cannot hold a seed"
            help_ = 'it is `{ dtype = "i64", shape = "" }`, not optional and only read'
            yield RULE.at(where, message, help_)
        elif tensor.when is not None:
            condition = parse_expr(tensor.when)
            plain = {n for n, a in op.spec.attrs.items() if a.type != "dtype"}
            present = {*presence_in(condition)}
            calls = {e.func for e in walk(condition) if isinstance(e, Call)} - {"present"}
            other = calls | {n for n in names_in(condition) if n not in plain | present}
            if other:
                message = f"the `when` of a seed cannot read `{min(other)}`"
                help_ = (
                    "it reads attrs and presence: a seed is drawn before sizes and dtypes are known"
                )
                yield RULE.at(op.at((*tensor.path, "when")), message, help_)
