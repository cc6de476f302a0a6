"""What the rules for kernels in Pallas share."""

from __future__ import annotations

from opgen.language.expr import ParseError
from opgen.language.shapes import Term, parse_shape
from opgen.spec.models.tensors import TensorSpec

PLATFORM = "tpu"


def terms_of(tensor: TensorSpec) -> tuple[Term, ...]:
    """The terms of all shapes that a tensor may have; none of one that cannot be parsed."""
    try:
        return tuple(term for form in tensor.texts for term in parse_shape(form.text).terms)
    except ParseError:
        return ()  # OG104 reports it
