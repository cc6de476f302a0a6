"""Find the dims of an op that may be split over devices, for each combination of options."""

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
    """The shape of an input, output or residual that is present, with derived dims expanded."""

    tensor: TensorSpec
    path: Path
    text: str
    shape: Shape


@dataclass(frozen=True, slots=True)
class Split:
    """The dims that may be split in one combination of options, and the shapes of all tensors."""

    combination: Combination
    names: tuple[str, ...]
    shapes: tuple[PresentShape, ...]


@analysis
def splits(op: OpContext) -> tuple[Split, ...]:
    """Return a `Split` for each combination of options in which at least one dim may be split."""
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
