"""The dims that an op may split over devices in each combination, with all shapes of the call."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.ir.worlds import expanded
from opgen.language.analysis import analysis
from opgen.language.call_variants import Combination, value_of
from opgen.language.shapes import Shape, parse_shape
from opgen.lint.op_context import OpContext
from opgen.lint.unbound import shape_text, written_shape
from opgen.source.diagnostics import Path
from opgen.source.frozen import dataclass
from opgen.spec.models.tensors import TensorSpec


@dataclass(frozen=True, slots=True)
class PresentShape:
    """The shape of a present input, output or residual, with derived dims expanded."""

    tensor: TensorSpec
    path: Path
    text: str
    shape: Shape


@dataclass(frozen=True, slots=True)
class Split:
    """The names of the dims that may be split in one combination, and all shapes of this call."""

    combination: Combination
    names: tuple[str, ...]
    shapes: tuple[PresentShape, ...]


@analysis
def splits(op: OpContext) -> tuple[Split, ...]:
    """Return a `Split` for each combination of the op in which at least one dim may be split."""
    found = []
    for combination in op.combinations:
        names = value_of(op.spec.sharding.split, combination.values)
        if names:
            shapes = tuple(_present_shapes(op, combination))
            found.append(Split(combination, names, shapes))
    return tuple(found)


def _present_shapes(op: OpContext, combination: Combination) -> Iterator[PresentShape]:
    dims = op.sizes.dims(combination.values)
    for tensor in op.spec.tensors.values():
        if tensor.table == "workspace" or not combination.present(tensor.name):
            continue
        view = combination.view.get(tensor.name)
        if view is not None:
            path, text = shape_text(tensor, view)
        else:
            path, text = written_shape(tensor, combination.values)
        yield PresentShape(tensor, path, text, expanded(parse_shape(text), dims))
