"""A kernel for AMD GPUs is not written in Triton.

This rule checks that every kernel on `hip` has the key `triton`.

Why: `opgen build` cannot compile HIP C++. For AMD GPUs it embeds only kernels that Triton
compiles.

Example:

    kernels     = [{ on = "hip", symbol = "rms_norm" }]

How to fix: write
`{ on = "hip", triton = { function = "norms/norms.py:rms_norm" }, grid = ["m"] }`. Or remove the
platform; with `"reference"` in `kernels`, the reference runs on AMD GPUs.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG624", "hip-kernels", Stage.NAMES)


def check(op: OpContext) -> Findings:
    for kernel in op.spec.kernels:
        if kernel.platform == "hip" and kernel.triton is None:
            message = "a kernel for hip that is not in Triton: there is no compiler for another one"
            help_ = 'write `{ on = "hip", triton = { function = "folder/file.py:function" }, grid = ["m"] }`'
            yield RULE.at(op.at(kernel.path), message, help_)
