"""The stages of an op do not compute all results of the op.

This rule matches the tensors and attrs of the stages by name. An input of a stage must be an
input of the op or a result of an earlier stage, unless it has `begin`. An attr of a stage must be
an attr of the op, or a dim of the op. Together the stages must compute every output and residual. A
tensor must have one dtype and one shape in all stages, though its dims may have other names. The op
and the stages that use the tensor must have it in the same calls. However, a stage may need an
input only for requested results (`when = "present(dx)"`). The `sharding.split` of a stage must name
the dim of `stages`, and all dims of the stage that the op splits. Each stage must run on every
platform of the op. Neither the op nor a stage may update inputs or take lists.

Why: if the dim is split over devices, the stages run in place of the op's kernel.

Example:

    [ops.rms_norm]
    inputs.x        = { dtype = "T", shape = "*batch *norm" }
    outputs.y       = { dtype = "T", shape = "*batch *norm" }
    sharding.split  = ["batch"]
    sharding.stages = { norm = ["squares", "scale"] }

    [ops.squares]
    inputs.rows     = { dtype = "T", shape = "*batch *norm" }

How to fix: use the op's names in the stages, and compute the missing results in the last stage.
Every stage must allow a split along the dim.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from opgen.language.expr import parse_expr, presence_in
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import did_you_mean
from opgen.spec.models.kernels import REFERENCE
from opgen.spec.models.tensors import Form, TensorSpec

RULE = Rule("OG512", "bad-stage", Stage.MEANING)

WORD = re.compile(r"[A-Za-z_]\w*(?!\w*\()|\S")
ALIKE = ("dtype", "optional", "when", "list")
Trouble = tuple[str, str]  # (message, help)
# A tensor, and a map from the names of the dims in its shape to the op's names of these dims.
Forms = tuple[Form, ...]
Known = tuple[TensorSpec, Mapping[str, str]]


def check(op: OpContext) -> Findings:
    by_name = op.project.by_name
    for dim, names in op.spec.sharding.stages.items():
        stages = [by_name[name] for name in names if name in by_name]
        if len(stages) < len(names) or any(s in op.project.failed for s in stages):
            continue
        known: dict[str, Known] = {name: (tensor, {}) for name, tensor in op.spec.inputs.items()}
        taken = False
        for n, stage in enumerate(stages):
            meeting = _Meeting(op, stage, known)
            where = op.at(("sharding", "stages", dim, n))
            for message, help_ in meeting.troubles(dim):
                yield RULE.at(where, f"stage `{stage.name}`: {message}", help_)
            taken |= dim in meeting.names
            whole = {own: name for name, own in meeting.names.items()}
            known |= {name: (tensor, whole) for name, tensor in _made(stage).items()}
        where = op.at(("sharding", "stages", dim), "key")
        if not taken:
            yield RULE.at(
                where, f"no stage has the dim `{dim}`", "name it as it is named in the op's inputs"
            )
        for name in _made(op):
            if not any(name in _made(stage) for stage in stages):
                yield RULE.at(where, f"no stage makes `{name}`", "let one have it as an output")


def _made(op: OpContext) -> dict[str, TensorSpec]:
    return {**op.spec.outputs, **op.spec.residuals}


class _Meeting:
    """The check that one stage of an op fits the op.

    `known` has the tensors that exist before the stage runs. `names` maps the op's names of dims to
    the stage's names. Each comparison of two shapes adds its dims to `names`.
    """

    def __init__(self, op: OpContext, stage: OpContext, known: Mapping[str, Known]) -> None:
        self.op, self.stage, self.known = op, stage, known
        self.names: dict[str, str] = {}

    def troubles(self, dim: str) -> Iterator[Trouble]:
        yield from self._inputs()
        made = _made(self.op)
        for name, tensor in _made(self.stage).items():
            if name in self.op.spec.inputs:
                yield f"it makes `{name}`, which is an input of `{self.op.name}`", "call it otherwise"
            elif name in made:
                yield from self._alike((made[name], {}), tensor)
        yield from self._attrs()
        yield from self._splits(dim)
        yield from self._runs()

    def _inputs(self) -> Iterator[Trouble]:
        for name, tensor in self.stage.spec.inputs.items():
            if tensor.updated or tensor.list is not None:
                yield f"`{name}` is updated or a list, which no stage can take", "compute something new"
            elif name in self.known:
                yield from self._alike(self.known[name], self._taken(tensor))
            elif tensor.begin is None:
                message = f"`{name}` is no input of `{self.op.name}`, nor made by an earlier stage"
                yield message, did_you_mean(name, self.known)

    def _taken(self, tensor: TensorSpec) -> TensorSpec:
        """Return the stage's input `tensor`. Drop a `when` that only tests which results are
        requested.

        The stage needs such an input only for these results, and the op can always pass it.
        """
        asked = presence_in(parse_expr(tensor.when or "True"))
        optional = {name for name, made in _made(self.stage).items() if made.optional}
        if asked and optional.issuperset(asked):
            return replace(tensor, when=None)
        return tensor

    def _attrs(self) -> Iterator[Trouble]:
        attrs, bound = self.op.spec.attrs, self.op.scope.bound
        whole = {own: name for name, own in self.names.items()}
        for name, attr in self.stage.spec.attrs.items():
            known = attrs.get(name) or attrs.get(whole.get(name, ""))
            if known is not None:
                if known.type != attr.type:
                    yield f"the attr `{name}` is of another type", f"it is {known.type} in `{self.op.name}`"
            elif {"int": "dim", "int[]": "group"}.get(attr.type) != bound.get(name, ""):
                yield f"`{name}` is no attr of `{self.op.name}`, nor the size of a dim of it", did_you_mean(
                    name, (*attrs, *bound)
                )

    def _alike(self, known: Known, theirs: TensorSpec) -> Iterator[Trouble]:
        """Yield the differences between a known tensor and the stage's declaration `theirs`.

        Also add the dims of the tensor to `names`.
        """
        ours, whole = known
        name = theirs.name
        for key in ALIKE:
            if getattr(ours, key) != getattr(theirs, key):
                yield f"`{name}` has another `{key}`", "declare it as it is known before"
        if not self._one_shape(ours.texts, theirs.texts, whole):
            yield f"`{name}` has another `shape`", "declare it as it is known before"

    def _one_shape(self, ours: Forms, theirs: Forms, whole: Mapping[str, str]) -> bool:
        if len(ours) != len(theirs):
            return False
        for (below, text), (place, other) in zip(ours, theirs):
            words, others = WORD.findall(text), WORD.findall(other)
            if below != place or len(words) != len(others):
                return False
            for word, called in zip((whole.get(w, w) for w in words), others):
                name = word.isidentifier() and called.isidentifier()
                if not name and word != called:
                    return False
                if name and self.names.setdefault(word, called) != called:
                    return False
        return len({*self.names.values()}) == len(self.names)

    def _splits(self, dim: str) -> Iterator[Trouble]:
        """Report dims that the op splits, and that the stage has but does not split."""
        theirs = self.stage.spec.sharding.split
        for name in dict.fromkeys((dim, *self.op.spec.sharding.named)):
            own = self.names.get(name)
            if own and not all(own in names for names in theirs.values()):
                yield f"it does not split `{own}`", "add it to its `sharding.split`"

    def _runs(self) -> Iterator[Trouble]:
        """Report the op's platforms for which the stage has neither a kernel nor a reference."""
        ours, theirs = self.op.spec, self.stage.spec
        for platform in (*ours.platforms, *([REFERENCE] if ours.fallback else [])):
            if platform not in theirs.platforms and not theirs.fallback:
                yield f"it has no kernel for {platform}", 'end its `kernels` with "reference"'
