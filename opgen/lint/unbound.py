"""Find the dims and groups that have no value in some combination of an op's options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from opgen.language.analysis import analysis
from opgen.language.call_variants import Combination, case_of
from opgen.language.expr.decide import needed
from opgen.language.shapes import Group, Shape
from opgen.lint.op_context import OpContext
from opgen.source.diagnostics import Path, Where
from opgen.source.frozen import dataclass
from opgen.spec.models.tensors import TensorSpec


@dataclass(frozen=True, slots=True)
class UnboundName:
    """A dim or group in an input's shape that has no value in calls of `combinations`."""

    name: str
    kind: str
    path: Path
    text: str
    combinations: tuple[Combination, ...]

    def place(self, op: OpContext) -> Where:
        return op.in_shape(self.path, self.text, self.name)


@analysis
def unbound_in_inputs(op: OpContext) -> tuple[UnboundName, ...]:
    """Return each dim or group of the inputs' shapes that has no value in some combination."""
    first: dict[str, tuple[str, Path, str]] = {}
    failing: dict[str, list[Combination]] = {}
    for combination in op.combinations:
        known = op.sizes.bound(combination)
        _, _, shapes = op.sizes.plan(combination)
        if all(known.issuperset(shape.names) for shape in shapes.values()):
            continue
        for kind, name, path, text in _input_names(op, combination, shapes):
            if name not in known and combination not in failing.get(name, ())[-1:]:
                first.setdefault(name, (kind, path, text))
                failing.setdefault(name, []).append(combination)
    return tuple(UnboundName(name, *found, tuple(failing[name])) for name, found in first.items())


def _input_names(
    op: OpContext, combination: Combination, shapes: Mapping[str, Shape]
) -> Iterator[tuple[str, str, Path, str]]:
    decided = {"i", *op.scope.decided}
    for tensor, view in combination.view.items():
        if view is None:
            continue
        path, text = shape_text(op.spec.inputs[tensor], view)
        for term in shapes[tensor].terms:
            if isinstance(term, Group):
                yield "group", term.name, path, text
            else:
                for name in needed(term.size, combination.values):
                    if name not in decided:
                        yield "dim", name, path, text


def shape_text(tensor: TensorSpec, view: tuple[int, int]) -> tuple[Path, str]:
    """Return the path and text of an input's shape.

    `view` has the index of the shape's case, and the shape's index in the list of this case.
    """
    case, form = view
    below, text = tensor.forms.cases[case][1][form]
    return (*tensor.path, *below), text


def written_shape(tensor: TensorSpec, values: Mapping[str, object]) -> tuple[Path, str]:
    """Return the path and text of the shape of an output, residual or workspace.

    `values` has the options of the call, which decide which case of the shape applies.
    """
    return shape_text(tensor, (case_of(tensor.forms, values), 0))
