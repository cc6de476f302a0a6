"""A Triton kernel has keys that cannot be combined.

This rule checks that a Triton kernel is for CUDA or HIP, has a `grid`, and has no keys of C++
kernels. The values of a `constexpr` must be at least 1, in ascending order. An expression without a
list of values must be a condition. `num_warps` must be a power of two, at most 32.

Why: opgen compiles the kernel for each value, and a call uses the smallest value that is at least
the expression. `num_warps` determines the size of Triton's blocks, so `block` is not needed.

Example:

    [[ops.rms_norm.kernels]]
    on     = "cuda"
    grid   = ["m"]
    triton = { function = "norms/norms.py:rms_norm", constexpr = { B = { d = [4096, 1024] } } }

How to fix: follow the message. Here, write the values in ascending order: `[1024, 4096]`.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.lint.rules.bad_tune import RULE as BAD_TUNE
from opgen.spec.models.kernels import KernelSpec

RULE = Rule("OG620", "triton-keys", Stage.NAMES)

_PLATFORMS = ("cuda", "hip")
_WARPS = (1, 2, 4, 8, 16, 32)
_OTHERS = ("symbol", "dispatch", "index", "block", "scratch", "call")


def check(op: OpContext) -> Findings:
    for kernel in op.spec.kernels:
        triton = kernel.by_triton
        if triton is None:
            continue
        yield from _keys(op, kernel)
        yield from _values(op, kernel)
        yield from _tuned(op, kernel)
        if triton.num_warps not in _WARPS:
            where = op.at((*kernel.path, "triton", "num_warps"))
            message = f"a block of {triton.num_warps} warps: Triton has powers of two up to 32"
            yield RULE.at(
                where, message, f"write {min(_WARPS, key=lambda n: abs(n - triton.num_warps))}"
            )


def _keys(op: OpContext, kernel: KernelSpec) -> Findings:
    where = op.at((*kernel.path, "triton"), "key")
    if kernel.platform not in _PLATFORMS:
        message = f"`triton` is for cuda and hip, not {kernel.platform}"
        yield RULE.at(where, message, "move it there")
    if "grid" not in kernel.given:
        message = "`triton` without `grid`: nothing says how many programs run"
        yield RULE.at(where, message, 'add `grid = ["m"]`')
    for key in _OTHERS:
        if key in kernel.given:
            other = op.at((*kernel.path, key), "key")
            yield RULE.at(other, f"`{key}` and `triton` exclude each other", "keep one")


def _tuned(op: OpContext, kernel: KernelSpec) -> Findings:
    for name, values in kernel.tune.items():
        both = name in kernel.constexpr or name in kernel.given
        if both and name in (*kernel.constexpr, "num_warps", "num_stages"):
            key = op.at((*kernel.path, "tune", name), "key")
            yield BAD_TUNE.at(key, f"`{name}` has a value besides", "keep one")
        if name == "num_warps" and not {*values} <= {*_WARPS}:
            where = op.at((*kernel.path, "tune", name))
            message = "a block of Triton has a power of two of warps, up to 32"
            yield BAD_TUNE.at(where, message, "write some of 1, 2, 4, 8, 16 and 32")


def _values(op: OpContext, kernel: KernelSpec) -> Findings:
    for name, values in kernel.values.items():
        table = kernel.by_triton.constants[name] if kernel.by_triton else {}
        where = op.at((*kernel.path, "triton", "constexpr", name))
        if len(table) > 1:
            yield RULE.at(where, "several expressions for one constant", "write one")
        if min(values) < 1:
            yield RULE.at(where, f"{min(values)} is no size of a block", "write positive numbers")
        if list(values) != sorted(set(values)):
            yield RULE.at(where, "the values do not ascend", "write the smallest first, each once")
