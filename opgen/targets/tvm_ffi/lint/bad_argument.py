"""An argument of a tvm-ffi function does not exist in the spec.

This rule checks that each argument in `tvm_ffi` is either a single tensor, or a descriptor
field that is not an array. If `tvm_ffi` lists no arguments, the same applies to all tensors and
attrs of the op. All outputs and residuals must be arguments. No tensor may have a dtype of fewer
than 8 bits, because DLPack packs two such elements into a byte.

Why: opgen passes each tensor as a DLPack struct. It reads each number from the descriptor.

Example:

    kernels      = [{ on = "cuda", tvm_ffi = "libnorms.so:rms_norm(y, x, weigth, eps)" }]

How to fix: correct the name, or list the function's arguments as `descriptor` fields.
"""

from opgen.ir.descriptor import describe
from opgen.language.dtypes import DTYPES
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import did_you_mean
from opgen.spec.models.kernels import KernelSpec

RULE = Rule("OG622", "bad-argument", Stage.MEANING)


def check(op: OpContext) -> Findings:
    for kernel in op.spec.kernels:
        if kernel.tvm_ffi is not None:
            yield from _arguments(op, kernel)


def _arguments(op: OpContext, kernel: KernelSpec) -> Findings:
    spec, whole = op.spec, op.at((*kernel.path, "tvm_ffi"))
    fields = [field.name for field in describe(op.scope).fields if not field.count]
    known = [*spec.tensors, *fields]
    every = (*spec.inputs, *spec.outputs, *spec.residuals, *spec.workspace, *spec.attrs)
    for name in kernel.args or every:
        if name not in known:
            message = f"`{name}` is no tensor and no single field of the descriptor"
            yield RULE.at(whole, message, did_you_mean(name, known))
        elif name in spec.tensors and spec.tensors[name].list is not None:
            message = f"`{name}` is a list of tensors, and tensors are passed one by one"
            yield RULE.at(whole, message, "write a kernel, which gets the list")
        elif name in spec.tensors:
            dtypes = [DTYPES[d] for d in op.scope.dtypes_of(spec.tensors[name]) if d in DTYPES]
            packed = [dtype.name for dtype in dtypes if dtype.bits < 8]
            if packed:
                message = f"`{name}` may be {packed[0]}, two elements of which are a byte here"
                yield RULE.at(whole, message, f'require another: "T != {packed[0]}"')
    for name in (*spec.outputs, *spec.residuals):
        if kernel.args and name not in kernel.args:
            message = f"it is not called with `{name}`, which nothing would write"
            yield RULE.at(whole, message, f"add `{name}`")
