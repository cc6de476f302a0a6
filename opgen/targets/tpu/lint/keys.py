"""A TPU kernel has keys that cannot be combined.

This rule allows only `pallas` (a Pallas function), `blocks` and `require` in a TPU kernel.
Python must be able to import the file, so its name and the names of its folders must be
identifiers. The keys of `blocks` must be dims and groups of the op's tensors.

Why: opgen renders the call from the shapes of the spec, and derives the grid from the blocks.

Example:

    kernels     = [{ on = "tpu", pallas = "norms/norms.py:rms_norm", grid = ["ceildiv(m, 256)"] }]

How to fix: follow the message. Here, write `blocks = { m = 256 }`.
"""

import keyword

from opgen.language.shapes import Group
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import did_you_mean
from opgen.spec.models.kernels import KernelSpec
from opgen.targets.tpu.lint import PLATFORM, terms_of

RULE = Rule("OG821", "tpu-kernel", Stage.NAMES)
KEYS = ("pallas", "blocks", "require", "name")
AXES = 9


def check(op: OpContext) -> Findings:
    for kernel in op.spec.kernels_for(PLATFORM):
        if kernel.kind != "pallas":
            help_ = 'add `pallas = "folder/file.py:function"`'
            yield RULE.at(op.at(kernel.path), "a kernel for TPUs is a function in Pallas", help_)
            continue
        yield from _keys(op, kernel)
        yield from _blocks(op, kernel)


def _keys(op: OpContext, kernel: KernelSpec) -> Findings:
    for key in kernel.given:
        if key not in KEYS:
            where = op.at((*kernel.path, key), "key")
            fix = "the grid follows from `blocks`" if key in ("grid", "block") else "leave it out"
            yield RULE.at(where, f"a kernel in Pallas has no `{key}`", fix)
    file = (kernel.named or "").partition(":")[0].removesuffix(".py")
    for part in file.split("/"):
        if not part.isidentifier() or keyword.iskeyword(part):
            where = op.at((*kernel.path, "pallas"))
            yield RULE.at(where, f"Python cannot import from `{part}`", "rename it: an identifier")


def _blocks(op: OpContext, kernel: KernelSpec) -> Findings:
    names = dict.fromkeys(
        term.name
        for tensor in op.spec.tensors.values()
        for term in terms_of(tensor)
        if isinstance(term, Group) or term.name is not None
    )
    for name in kernel.blocks:
        if name not in names:
            where = op.at((*kernel.path, "blocks", name), "key")
            message = f"`{name}` is no dim or group of a tensor, of which there could be blocks"
            yield RULE.at(where, message, did_you_mean(name, [*filter(None, names)]))
    if len(kernel.blocks) > AXES:
        where = op.at((*kernel.path, "blocks"), "key")
        yield RULE.at(where, f"a grid of {len(kernel.blocks)} axes", f"at most {AXES}")
