"""A kernel for AMD's GPUs that is not in Triton.

What it does: every kernel on hip has the key `triton`.

Why: `opgen build` has no compiler for HIP C++; what Triton compiles for AMD's GPUs is all that it
embeds for them.

Example:

    kernels     = [{ on = "hip", symbol = "rms_norm" }]

How to fix: `{ on = "hip", triton = { function = "norms/norms.py:rms_norm" }, grid = ["m"] }`, or leave the platform
out: with `"reference"` in `kernels` the reference runs there.
"""

from collections.abc import Iterator

from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic

RULE = Rule("OG624", "hip-kernels", Stage.NAMES)


def check(op: OpContext) -> Iterator[Diagnostic]:
    for kernel in op.spec.kernels:
        if kernel.platform == "hip" and kernel.triton is None:
            message = "a kernel for hip that is not in Triton: there is no compiler for another one"
            help_ = 'write `{ on = "hip", triton = { function = "folder/file.py:function" }, grid = ["m"] }`'
            yield RULE.at(op.at(kernel.path), message, help_)
