"""The stages of an op do not compute it together.

What it does: an input of a stage is one of the op, or what an earlier stage makes, or has
`begin`; an attr is one of the op, or a dim of it as the stage calls it. Together the stages
make every output and residual. What has one name has one dtype and one shape, whatever its
dims are called in the stage; presence is alike too, but that a stage may take something only
for results on request (`when = "present(dx)"`). Each stage may be split along the dim, and
along those that the op itself splits, where it has them; it runs wherever the op does. Neither
updates, nor takes lists.

Why: stages are bound by names: where the dim is split, they run in place of the op.

Example:

    [ops.rms_norm]
    inputs.x        = { dtype = "T", shape = "*batch *norm" }
    outputs.y       = { dtype = "T", shape = "*batch *norm" }
    sharding.split  = ["batch"]
    sharding.stages = { norm = ["squares", "scale"] }

    [ops.squares]
    inputs.rows     = { dtype = "T", shape = "*batch *norm" }

How to fix: call things alike; give the last stage what is missing; let stages split the dim.
"""

import re
from collections.abc import Iterator, Mapping

from opgen.language.expr import parse_expr, presence_in
from opgen.language.scope import Table, cases_of, shapes_of
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic, did_you_mean

RULE = Rule("OG512", "bad-stage", Stage.MEANING)

WORD = re.compile(r"[A-Za-z_]\w*(?!\w*\()|\S")
ALIKE = ("dtype", "optional", "when", "list")
Trouble = tuple[str, str]  # what is wrong, and what to do
Known = tuple[
    Table, Mapping[str, str]
]  # a tensor, and the op's dims by their names in it


def check(op: OpContext) -> Iterator[Diagnostic]:
    by_name = op.project.by_name
    for dim, names in op.scope.section("sharding").get("stages", {}).items():
        stages = [by_name[name] for name in names if name in by_name]
        if len(stages) < len(names) or any(s in op.project.failed for s in stages):
            continue
        known = {
            name: (entry, {}) for name, entry in op.scope.section("inputs").items()
        }
        taken = False
        for n, stage in enumerate(stages):
            meeting = _Meeting(op, stage, known)
            where = op.at(("sharding", "stages", dim, n))
            for message, help_ in meeting.troubles(dim):
                yield RULE.at(where, f"stage `{stage.name}`: {message}", help_)
            taken |= dim in meeting.names
            whole = {own: name for name, own in meeting.names.items()}
            known |= {name: (entry, whole) for name, entry in _made(stage).items()}
        where = op.at(("sharding", "stages", dim), "key")
        if not taken:
            yield RULE.at(where, f"no stage has the dim `{dim}`", "name it as it is named in the op's inputs")  # fmt: skip
        for name in _made(op):
            if not any(name in _made(stage) for stage in stages):
                yield RULE.at(where, f"no stage makes `{name}`", "let one have it as an output")  # fmt: skip


def _made(op: OpContext) -> Table:
    return {name: entry for _, name, entry in op.scope.entries("outputs", "residuals")}


class _Meeting:
    """An op and a stage of it. `known` holds what there is before the stage runs, and the
    op's dims by what they are called there.

    `names` maps the op's dims to what the stage calls them.
    """

    def __init__(
        self, op: OpContext, stage: OpContext, known: Mapping[str, Known]
    ) -> None:
        self.op, self.stage, self.known = op, stage, known
        self.names: dict[str, str] = {}

    def troubles(self, dim: str) -> Iterator[Trouble]:
        yield from self._inputs()
        made = _made(self.op)
        for name, entry in _made(self.stage).items():
            if name in self.op.scope.section("inputs"):
                yield f"it makes `{name}`, which is an input of `{self.op.name}`", "call it otherwise"  # fmt: skip
            elif name in made:
                yield from self._alike(name, (made[name], {}), entry)
        yield from self._attrs()
        yield from self._splits(dim)
        yield from self._runs()

    def _inputs(self) -> Iterator[Trouble]:
        for name, entry in self.stage.scope.section("inputs").items():
            if entry.get("update") or "list" in entry:
                yield f"`{name}` is updated or a list, which no stage can take", "compute something new"  # fmt: skip
            elif name in self.known:
                yield from self._alike(name, self.known[name], self._taken(entry))
            elif "begin" not in entry:
                message = f"`{name}` is no input of `{self.op.name}`, nor made by an earlier stage"  # fmt: skip
                yield message, did_you_mean(name, self.known)

    def _taken(self, entry: Table) -> Table:
        """An input as it is declared where it is there: some are for results on request."""
        asked = presence_in(parse_expr(str(entry.get("when", "True"))))
        optional = {n for n, e in _made(self.stage).items() if e.get("optional")}
        if asked and optional.issuperset(asked):
            return {key: value for key, value in entry.items() if key != "when"}
        return entry

    def _attrs(self) -> Iterator[Trouble]:
        ours = self.op.scope
        whole = {own: name for name, own in self.names.items()}
        for name, entry in self.stage.scope.attrs.items():
            kind = str(entry.get("type"))
            known = name if name in ours.attrs else whole.get(name)
            if known in ours.attrs:
                if ours.attrs[known].get("type") != kind:
                    yield f"the attr `{name}` is of another type", f"it is {ours.attrs[known].get('type')} in `{self.op.name}`"  # fmt: skip
            elif {"int": "dim", "int[]": "group"}.get(kind) != ours.bound.get(name, ""):
                yield f"`{name}` is no attr of `{self.op.name}`, nor the size of a dim of it", did_you_mean(name, (*ours.attrs, *ours.bound))  # fmt: skip

    def _alike(self, name: str, known: Known, theirs: Table) -> Iterator[Trouble]:
        """What is declared otherwise; learns how the stage calls the dims."""
        ours, whole = known
        for key in ALIKE:
            if ours.get(key, False) != theirs.get(key, False):
                yield f"`{name}` has another `{key}`", "declare it as it is known before"  # fmt: skip
        if not self._one_shape(list(shapes_of(ours)), list(shapes_of(theirs)), whole):
            yield f"`{name}` has another `shape`", "declare it as it is known before"

    def _one_shape(self, ours: list, theirs: list, whole: Mapping[str, str]) -> bool:
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
        """The dims that the stage has and does not split."""
        ours = self.op.scope.section("sharding").get("split", [])
        wanted = dict.fromkeys([dim, *(n for _, names in cases_of(ours) for n in names)])  # fmt: skip
        theirs = self.stage.scope.section("sharding").get("split", [])
        for name in wanted:
            own = self.names.get(name)
            if own and not all(own in names for _, names in cases_of(theirs)):
                yield f"it does not split `{own}`", "add it to its `sharding.split`"

    def _runs(self) -> Iterator[Trouble]:
        """The platforms that the stage has no kernel for."""
        theirs = self.stage.table["kernels"]
        for platform in self.op.table["kernels"]:
            if platform not in theirs and "else" not in theirs:
                yield f"it has no kernel for {platform}", '`kernels.else = "reference"`'
