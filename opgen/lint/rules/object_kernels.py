"""A kernel of CuTe DSL that is for more than one dtype, or for what it cannot be given.

What it does: `object` is for CUDA. The requirements of the op and of the kernel leave one dtype for
each tensor. No tensor is a list, may be absent, has several shapes, or a `layout` or `pitch` of its
own.

Why: an exported function was compiled for tensors of one dtype and rank, whose layout is row-major;
it does not look at what it is given.

Example:

    [dtypes]
    T = ["bf16", "f32"]

    kernels.cuda = { object = "norms/rms_norm_sm90.o" }

How to fix: `require = ["T == bf16"]`, and a list of kernels, one for each dtype.
"""

from collections.abc import Iterator

from opgen.language.kernel_dtypes import kernel_dtypes
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic
from opgen.spec.models.kernels import KernelSpec
from opgen.spec.models.tensors import TensorSpec

RULE = Rule("OG625", "object-kernels", Stage.MEANING)


def check(op: OpContext) -> Iterator[Diagnostic]:
    for kernel in op.spec.kernels:
        if kernel.object is None:
            continue
        where = op.at((*kernel.path, "object"))
        if kernel.platform != "cuda":
            message = f"`object` is for cuda, not {kernel.platform}"
            yield RULE.at(where, message, "move it to `kernels.cuda`")
        for tensor in op.spec.tensors.values():
            problem, help_ = _problem(op, kernel, tensor)
            if problem:
                yield RULE.at(where, f"`{tensor.name}` {problem}", help_)


def _problem(op: OpContext, kernel: KernelSpec, tensor: TensorSpec) -> tuple[str, str]:
    """The reason why an exported function cannot take a tensor, and what to do."""
    if tensor.list is not None:
        return "is a list of tensors, which an exported function does not take", "leave it out"
    if not tensor.always:
        return "may be absent, and an exported function takes a tensor", "leave `optional` out"
    if tensor.one_shape is None:
        return "has several shapes, and code was compiled for one", "write the shape as one string"
    if {*tensor.layout.values()} != {"contiguous"} or tensor.pitch is not None:
        return "need not be contiguous, and is passed as if it were", "leave `layout` out"
    dtypes = kernel_dtypes(op.scope, kernel, tensor)
    if len(dtypes) == 1:
        return "", ""
    message = f"may be {' or '.join(dtypes)}, and code was compiled for one dtype"
    return message, f'require one: "{tensor.dtype.alone} == {dtypes[0] if dtypes else "bf16"}"'
