"""A kernel's `call` has an argument that cannot be passed.

This rule checks that each argument in `call` is a descriptor field, `stream`, or a tensor that
is not a list.

Why: opgen renders the code that calls the existing kernel from this text.

Example:

    kernels      = [{ on = "cuda", call = "libfoo.so:ln_fwd(x, weigth, y, stream)" }]

How to fix: correct the name, or declare the missing value as a field in `descriptor`.
"""

import re

from opgen.ir.descriptor import describe
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import did_you_mean

RULE = Rule("OG604", "bad-call", Stage.MEANING)

_ARGUMENT = re.compile(r"[^,]+")


def check(op: OpContext) -> Findings:
    for kernel in op.spec.kernels:
        path, text = (*kernel.path, "call"), kernel.call
        if text is None:
            continue
        before, _, given = text.partition("(")
        offset = len(f"{kernel.library}:{before}(")
        fields = [field.name for field in describe(op.scope).fields]
        lists = {n for n, tensor in op.spec.tensors.items() if tensor.list is not None}
        known = [*op.spec.tensors, *fields, "stream"]
        for argument in _ARGUMENT.finditer(given.rstrip(") \t")):
            name = argument[0].strip()
            start = offset + argument.start()
            start += len(argument[0]) - len(argument[0].lstrip())
            where = op.at(path, "value", start, start + max(1, len(name)))
            if name in lists:
                message = f"`{name}` is a list of tensors, which has no one address"
                yield RULE.at(where, message, "write a kernel, which gets the list")
            elif name not in known:
                message = f"`{name}` is no tensor, descriptor field or `stream`"
                yield RULE.at(where, message, did_you_mean(name, known))
