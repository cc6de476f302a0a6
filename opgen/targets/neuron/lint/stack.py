"""A stack that Neuron's custom operators cannot have.

What it does: `neuron.stack_size`, in bytes, is at most 400 KB.

Why: "Neuron Custom C++ Operators Developer Guide", Performance Guidance: the largest stack is
400 KB. A stack above 6 KB has to be declared. The largest one of a library becomes
`-DSTACK_SIZE=`. The library's CPU twin does not build with a larger frame.

Example:

    neuron.stack_size = 500000

How to fix: keep large buffers in tensors or in the device's tightly coupled memory.
"""

from collections.abc import Iterator

from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic
from opgen.targets.neuron.lint import GUIDE

RULE = Rule("OG806", "neuron-stack", Stage.NAMES)
LARGEST = 400 * 1024


def check(op: OpContext) -> Iterator[Diagnostic]:
    size = op.spec.options["neuron"]["stack_size"] or 0
    if size > LARGEST:
        yield RULE.at(
            op.at(("neuron", "stack_size")),
            f"a custom operator of Neuron has a stack of at most {LARGEST} bytes (400 KB), not {size}",
            f"move large buffers elsewhere ({GUIDE}, Performance Guidance)",
        )
