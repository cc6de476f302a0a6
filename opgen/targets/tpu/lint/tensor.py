"""A Pallas kernel cannot receive blocks of a tensor.

This rule checks the tensors of an op with a TPU kernel. No tensor may be a list, be updated in
place, or have several shapes. No result may have `init`. An expression in a shape must not depend
on a name in `blocks`. If an input may be absent, the names in its shape must also be in other
shapes.

Why: a fixed rule determines which block of an array a program receives, for every call. A program
writes a block of a result without reading it first.

Example:

    inputs.x    = { dtype = "T", shape = "m 2*d" }
    outputs.y   = { dtype = "T", shape = "m d" }
    kernels     = [{ on = "tpu", pallas = "gates/gates.py:gate", blocks = { d = 128 } }]

How to fix: remove the name from `blocks`, or write a separate op for each shape. To initialise a
result, write the first values in the kernel: `@pl.when(pl.program_id(0) == 0)`.
"""

from opgen.language.expr import names_in
from opgen.language.shapes import Dim, Group
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.spec.models.kernels import KernelSpec
from opgen.spec.models.tensors import TensorSpec
from opgen.targets.tpu.lint import PLATFORM, terms_of

RULE = Rule("OG822", "tpu-tensor", Stage.NAMES)


def check(op: OpContext) -> Findings:
    for kernel in op.spec.kernels_for(PLATFORM):
        if kernel.kind == "pallas":
            for tensor in op.spec.tensors.values():
                yield from _tensor(op, kernel, tensor)


def _tensor(op: OpContext, kernel: KernelSpec, tensor: TensorSpec) -> Findings:
    name, result = tensor.name, tensor.table in ("outputs", "residuals")
    wrong = {
        "list": (tensor.list is not None, "is a list of tensors", "write an op for one"),
        "update": (tensor.updated, "is updated in place", "return its new value"),
        "init": (result and tensor.init is not None, "has first values", _FIRST),
        "shape": (tensor.one_shape is None, "has several shapes", "write an op for each"),
    }
    for key, (there, what, help_) in wrong.items():
        if there:
            where = op.at((*tensor.path, key), "key")
            yield RULE.at(
                where, f"a kernel in Pallas gets blocks of arrays: `{name}` {what}", help_
            )
    for term in terms_of(tensor):
        if isinstance(term, Dim) and term.name is None:
            for split in (each for each in names_in(term.size) if each in kernel.blocks):
                message = f"`{term}` of `{name}` is not split in blocks as `{split}` is"
                yield RULE.at(op.at((*tensor.path, "shape")), message, _WHOLE)
    if tensor.table == "inputs" and tensor.absentable and tensor.list is None:
        known = {n for each in op.spec.inputs.values() if each.always for n in _names(each)}
        for lone in sorted(_names(tensor) - known - {*op.spec.attrs, *op.spec.dims}):
            message = f"`{name}` may be absent, and `{lone}` is in no input that is always there"
            yield RULE.at(op.at((*tensor.path, "shape")), message, "write an op for each")


def _names(tensor: TensorSpec) -> set[str]:
    terms = terms_of(tensor)
    groups = {term.name for term in terms if isinstance(term, Group)}
    return groups | {n for t in terms if isinstance(t, Dim) for n in names_in(t.size)}


_FIRST = "have the kernel write them, where `pl.program_id` is 0"
_WHOLE = "leave it out of `blocks`, or make two tensors of one"
