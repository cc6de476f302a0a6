"""What is split in one combination, and the shapes that the split goes through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from opgen.binding import expanded
from opgen.combinations import Combination, case_of
from opgen.diagnostics import Path
from opgen.lint.subject import Subject
from opgen.lint.unbound import shape_text, written_shape
from opgen.scope import cases_of
from opgen.shapes import Shape, Term, parse_shape


@dataclass(frozen=True, slots=True)
class PresentShape:
    """The shape of a present input, output or residual, derived dims written out."""

    tensor: str
    table: str
    path: Path
    text: str
    terms: tuple[Term, ...]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(Shape(self.terms).names)


@dataclass(frozen=True, slots=True)
class Split:
    """What may be split in one combination, and the shapes that it goes through."""

    combination: Combination
    names: tuple[str, ...]
    shapes: tuple[PresentShape, ...]


def splits(op: Subject) -> Iterator[Split]:
    """The combinations of an op in which something may be split."""
    split = op.scope.section("sharding").get("split", [])
    for combination in op.combinations:
        names = cases_of(split)[case_of(split, combination.values)][1]
        if names:
            shapes = tuple(_present_shapes(op, combination))
            yield Split(combination, tuple(names), shapes)


def _present_shapes(op: Subject, combination: Combination) -> Iterator[PresentShape]:
    dims = op.sizes.dims(combination.values)
    for table, tensor, entry in op.scope.entries("inputs", "outputs", "residuals"):
        if not combination.present(tensor):
            continue
        if table == "inputs":
            path, text = shape_text(table, tensor, entry, combination.view[tensor])
        else:
            path, text = written_shape(table, tensor, entry, combination.values)
        terms = expanded(parse_shape(text), dims).terms
        yield PresentShape(tensor, table, path, text, terms)
