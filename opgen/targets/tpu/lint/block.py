"""A block has a size that TPUs do not support.

This rule checks the numbers in `blocks`. The block size along a tensor's last dim must be a
multiple of 128. Along the second-to-last dim it must be a multiple of 8. A tensor with one dim
counts as a column if its dim is also in shapes with several dims, but never last. Otherwise it
counts as a row, so its dim is a last dim.

Why: a TPU register has 8 rows of 128 columns. Mosaic accepts other blocks only if they are as
large as the array.

Example:

    inputs.x    = { dtype = "T", shape = "*batch d" }
    kernels     = [{ on = "tpu", pallas = "norms/norms.py:rms_norm", blocks = { batch = 100 } }]

How to fix: write the multiple that the message names. Suppress the finding if the dim is never
larger than the block.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.spec.models.kernels import KernelSpec
from opgen.targets.tpu.lint import PLATFORM, terms_of
from opgen.targets.tpu.resolve import is_column, name_of

RULE = Rule("OG824", "tpu-block", Stage.NAMES, overrulable=True)
UNITS = {-1: (128, "the last dim"), -2: (8, "the last dim but one")}


def check(op: OpContext) -> Findings:
    for kernel in op.spec.kernels_for(PLATFORM):
        yield from _blocks(op, kernel)


def _blocks(op: OpContext, kernel: KernelSpec) -> Findings:
    rows = {t.name: [*map(name_of, terms_of(t))] for t in op.spec.tensors.values()}
    for name, size in kernel.blocks.items():
        if isinstance(size, str):
            continue
        for tensor, row in rows.items():
            row = [*row, ""] if is_column(row, [*rows.values()]) else row
            for place, (unit, where) in UNITS.items():
                if row[place:][:1] == [name] and size % unit:
                    message = f"a block of {size}: `{name}` is {where} of `{tensor}`, and TPUs have blocks of {unit}"
                    help_ = f"write {max(1, round(size / unit)) * unit}"
                    yield RULE.at(op.at((*kernel.path, "blocks", name)), message, help_)
                    break
            else:
                continue
            break
