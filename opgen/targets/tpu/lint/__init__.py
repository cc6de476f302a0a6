"""Functions that several lint rules for Pallas kernels share."""

from __future__ import annotations

from opgen.language.expr import ParseError
from opgen.language.shapes import Term, parse_shape
from opgen.spec.models.tensors import TensorSpec

PLATFORM = "tpu"


def terms_of(tensor: TensorSpec) -> tuple[Term, ...]:
    """Return the terms of all shapes of a tensor; () if some shape cannot be parsed."""
    try:
        return tuple(term for form in tensor.texts for term in parse_shape(form.text).terms)
    except ParseError:
        return ()  # rule OG104 reports it
