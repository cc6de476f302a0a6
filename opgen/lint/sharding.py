"""What is split in one combination, and the shapes that the split goes through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from opgen.binding import expanded
from opgen.combinations import Combination, case_of
from opgen.diagnostics import Path
from opgen.expr import names_in
from opgen.lint.subject import Subject
from opgen.lint.unbound import shape_text, written_shape
from opgen.scope import cases_of
from opgen.shapes import Group, Term, parse_shape


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
        found: set[str] = set()
        for term in self.terms:
            found |= {term.name} if isinstance(term, Group) else {*names_in(term.size)}
        return frozenset(found)


def splits(op: Subject, combination: Combination) -> list[str]:
    """The names that may be split in one combination."""
    split = op.scope.section("sharding").get("split", [])
    return list(cases_of(split)[case_of(split, combination.values)][1])


def present_shapes(op: Subject, combination: Combination) -> Iterator[PresentShape]:
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
