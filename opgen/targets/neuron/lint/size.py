"""A tensor is too large for custom operators of Neuron.

This rule checks shapes if the kernel for Neuron is written in C++. A shape may have at most 8
dims. Constant sizes and the sizes in samples may be at most 65535, or 4294967295 if the tensor has
at most 4 dims.

Why: "Neuron Custom C++ Operators Developer Guide", Kernel Function, gives these limits. The
rendered shape function checks sizes that are known only at run time.

Example:

    inputs.x       = { dtype = "T", shape = "a b c d e f g h j" }
    kernels        = [{ on = "neuron", symbol = "sum" }]

How to fix: join dims, or write the kernel for Neuron in NKI.
"""

from collections.abc import Mapping
from typing import Any

from opgen.language.expr import Const
from opgen.language.expr.evaluate import Unbound, evaluate
from opgen.language.shapes import Group, Shape, parse_shape
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.targets.neuron.lint import KERNEL, kernel_of

RULE = Rule("OG805", "neuron-size", Stage.NAMES, overrulable=True)
MOST_DIMS = 8
MOST_LARGE_DIMS = 4
LARGEST = 65535
LARGEST_OF_FEW = 4294967295


def check(op: OpContext) -> Findings:
    if kernel_of(op) is None:
        return
    for tensor in (*op.spec.inputs.values(), *op.spec.outputs.values()):
        name = tensor.name
        for path, text in tensor.texts:
            shape = parse_shape(text)
            fixed = [t for t in shape.terms if not isinstance(t, Group)]
            consts = (t.size.value for t in fixed if isinstance(t.size, Const))
            sizes = [value for value in consts if isinstance(value, int)]
            found = _problem(len(fixed), sizes)
            if found is not None:
                yield RULE.at(op.at((*tensor.path, *path)), f"`{name}`: {found}", KERNEL)
                continue
            for number, sample in enumerate(op.spec.samples):
                sizes = _sizes(shape, sample) or []
                found = _problem(len(sizes), sizes)
                if found is not None:
                    where = op.at(("samples", number))
                    yield RULE.at(where, f"`{name}` in this sample: {found}", KERNEL)


def _problem(rank: int, sizes: list[int]) -> str | None:
    if rank > MOST_DIMS:
        return f"Neuron's custom operators take {MOST_DIMS} dims, not {rank}"
    few = rank <= MOST_LARGE_DIMS
    most = LARGEST_OF_FEW if few else LARGEST
    if max(sizes, default=0) > most:
        return f"Neuron's custom operators take sizes up to {most} at rank {rank}, not {max(sizes)}"
    return None


def _sizes(shape: Shape, sample: Mapping[str, Any]) -> list[int] | None:
    """Return the sizes of a tensor in a sample, or None if the sample leaves a size undefined."""
    sizes: list[int] = []
    for term in shape.terms:
        try:
            value = sample[term.name] if isinstance(term, Group) else evaluate(term.size, sample)
        except (KeyError, Unbound, TypeError, ArithmeticError):
            return None  # another rule reports errors in samples
        sizes += value if isinstance(value, list) else [value]
    return sizes if all(type(size) is int for size in sizes) else None
