"""A `torch.patches` that cannot compute the forward of a layer.

What it does: each class is written with the module that it is in. What is given to the op is
named as its inputs and attrs are, and everything that a call needs is given. Expressions are
Python of names, attributes, calls and comparisons, over `self`, `torch`, the parameters of
`forward` and, in `result`, the op's outputs; `require` sees the layer alone.

Why: the expressions become the body of a method, which nobody reads before it runs.

Example:

    torch.patches = [{ of = ["torch.nn.ReLU"], forward = ["input"], args = { x = "inputs" } }]

How to fix: write the expressions over what there is, here `x = "input"`.
"""

from collections.abc import Iterator
from keyword import iskeyword
from typing import Any

from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic, Path
from opgen.targets.torch.patch_text import KNOWN, problem

RULE = Rule("OG621", "bad-patch", Stage.NAMES)


def check(op: OpContext) -> Iterator[Diagnostic]:
    patches = op.spec.options["torch"]["patches"] or ()
    if patches and "patch" in {subject.name for subject in op.project.subjects}:
        where = op.at(("torch", "patches"), "key")
        message = "`patch` is an op of this project and the function that patches a model"
        yield RULE.at(where, message, "rename the op")
    first: dict[str, int] = {}
    for i, patch in enumerate(patches):
        path = ("torch", "patches", i)
        for k, name in enumerate(patch["of"]):
            if not all(part.isidentifier() for part in name.split(".")) or "." not in name:
                message = f"`{name}` is not the full name of a class"
                yield RULE.at(op.at((*path, "of", k)), message, 'write it as in "torch.nn.ReLU"')
            if name in patch["of"][:k]:
                yield RULE.at(op.at((*path, "of", k)), f"`{name}` is listed twice", "remove one")
        named = patch["of"][0].rpartition(".")[2]
        if first.setdefault(named, i) != i:
            message = f"another entry begins with a class `{named}` too"
            yield RULE.at(op.at((*path, "of", 0)), message, "write another class first")
        for k, name in enumerate(patch["forward"]):
            where = op.at((*path, "forward", k))
            if iskeyword(name):
                message = f"`{name}` is a Python keyword"
                yield RULE.at(where, message, "write the parameter as in the class's `forward`")
            elif name in KNOWN or name == op.name:
                message = f"`{name}` means something else in the expressions"
                yield RULE.at(where, message, "leave out this class")
            elif "result" in patch and name in op.spec.outputs:
                message = f"`{name}` is an output of the op too: `result` could mean either"
                yield RULE.at(where, message, "rename the output, or leave out this class")
        yield from _arguments(op, i)
        for below, text, names in _texts(op, patch):
            if wrong := problem(text, names):
                known = ", ".join(f"`{name}`" for name in ("self", "torch", *sorted(names)))
                yield RULE.at(op.at((*path, *below)), f"`{text}` {wrong}", f"it may name {known}")


def _arguments(op: OpContext, i: int) -> Iterator[Diagnostic]:
    """Yield errors for names in `args` that the op lacks, and for missing arguments."""
    given = op.spec.options["torch"]["patches"][i]["args"]
    takes = {**op.spec.inputs, **op.spec.attrs}
    for name in given:
        if name not in takes:
            message = f"the op has neither an input nor an attr `{name}`"
            where = op.at(("torch", "patches", i, "args", name), "key")
            yield RULE.at(where, message, f"it has {', '.join(f'`{each}`' for each in takes)}")
    needed = [name for name, tensor in op.spec.inputs.items() if tensor.always and not tensor.seed]
    needed += [n for n, a in op.spec.attrs.items() if a.default is None and not a.optional]
    for name in needed:
        if name not in given:
            where = op.at(("torch", "patches", i, "args"), "key")
            yield RULE.at(where, f"a call needs `{name}`", f"add `{name}` to it")


def _texts(op: OpContext, patch: Any) -> Iterator[tuple[Path, str, frozenset[str]]]:
    """Yield each expression, with its place and its allowed names."""
    parameters = frozenset(patch["forward"])
    for name, text in patch["args"].items():
        yield ("args", name), text, parameters
    for k, text in enumerate(patch.get("require", ())):
        yield ("require", k), text, frozenset()
    for k, text in enumerate(patch.get("when", ())):
        yield ("when", k), text, parameters
    if "result" in patch:
        yield ("result",), patch["result"], parameters | {*op.spec.outputs}
