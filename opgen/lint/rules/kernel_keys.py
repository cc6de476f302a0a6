"""A kernel has keys that cannot be combined.

This rule rejects the keys of compiled kernels (`symbol`, `dispatch`, `grid`,
`block`, `scratch`) next to `call` or `tvm_ffi`. It also rejects a key that belongs to the kernels
of another platform.

Why: opgen either compiles a kernel that receives the generated struct, or calls an existing
function.

Example:

    kernels      = [{ on = "cuda", call = "libfoo.so:f(x, y)", grid = ["m"] }]

How to fix: follow the message.
"""

from opgen.ir.kinds import COMPILED_KEYS, kind_of, kinds
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.spec.extensions import platforms

RULE = Rule("OG607", "kernel-keys", Stage.NAMES)


def check(op: OpContext) -> Findings:
    for kernel in op.spec.kernels:
        platform, path, given = kernel.platform, kernel.path, kernel.given
        kind = kind_of(kernel)
        excluded = kind.excludes if kind is not None else ()
        if kernel.call is not None:
            excluded = (*COMPILED_KEYS, *kinds())
        elif kind is None and kernel.kind not in ("", platforms()[platform].function):
            where = op.at((*path, kernel.kind), "key")
            yield RULE.at(where, f"no target here knows kernels with `{kernel.kind}`", "remove it")
        for key in excluded:
            if key in given:
                where = op.at((*path, key), "key")
                message = f"`{key}` and `{kernel.kind}` exclude each other"
                yield RULE.at(where, message, "keep one")
        for other in platforms().values():
            for key in other.keys if other.name != platform else ():
                if key in given:
                    where = op.at((*path, key), "key")
                    yield RULE.at(
                        where,
                        f"`{key}` is for {other.name}, not {platform}",
                        f"move it to `kernels.{other.name}`",
                    )
