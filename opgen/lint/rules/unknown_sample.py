"""A sample sets something that the op does not have.

This rule checks the keys of each sample. They must be dims, groups, attrs, dtype variables,
tensors that may be absent, or `rtol`.

Why: with a misspelt key, opgen would silently choose the value at random.

Example:

    samples = [{ bacth = [3, 5] }]

How to fix: correct the key.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import did_you_mean

RULE = Rule("OG608", "unknown-sample", Stage.NAMES, overrulable=True)


def check(op: OpContext) -> Findings:
    known = known_keys(op)
    for n, sample in enumerate(op.spec.samples):
        for name in sample:
            if name in known:
                continue
            where = op.at(("samples", n, name), "key")
            if name in op.spec.tensors:
                message = f"`{name}` is always there: a sample cannot leave it out"
                yield RULE.at(where, message, "give its dims instead")
            else:
                message = f"`{name}` is no dim, attr, dtype variable or optional tensor"
                yield RULE.at(where, message, did_you_mean(name, known))


def known_keys(op: OpContext) -> list[str]:
    """Return all keys that a sample of `op` may have.

    These are the dims, groups, attrs, free dtype variables, optional tensors and `rtol`.
    """
    absent = [name for name, tensor in op.spec.tensors.items() if tensor.optional]
    return [*op.scope.bound, *op.spec.attrs, *op.free_dtypes, *absent, "rtol"]
